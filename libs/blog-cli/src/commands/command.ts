import type { Api } from '../api.ts';
import type { CredentialStore } from '../credentials.ts';

/** What a command gets. */
export interface CommandContext {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly store: CredentialStore;
  /** Resolves when the user wants to end. */
  readonly signal: AbortSignal;
  readonly api: () => Promise<Api>;
  /** Writes a line of the result. */
  readonly print: (line: string) => void;
}

export interface Command {
  readonly usage: string;
  /** Options besides `--project` and `--help`. */
  readonly options?: Readonly<Record<string, 'string' | 'boolean'>>;
  /** Resolves to what the process ends with; nothing is 0. */
  run(context: CommandContext): Promise<number | void>;
}
