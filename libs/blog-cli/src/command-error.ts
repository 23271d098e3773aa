/** Told to the user in one line, without a stack; the command ends with 1. */
export class CommandError extends Error {}

/** The same for what the service has refused. */
export class RefusedCall extends CommandError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The same for what was typed; the command ends with 2 and says how it is used. */
export class UsageError extends Error {}

/** Names and texts of others must not steer the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');
