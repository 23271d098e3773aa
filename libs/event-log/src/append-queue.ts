import type { AppendOptions } from './event-log.ts';
import type { OutgoingMessage } from './message.ts';

/** Appends one at a time; those that arrive while one runs share the next one. */
export interface AppendQueue {
  append(messages: readonly OutgoingMessage[], options?: AppendOptions): Promise<void>;
  /** Resolves when nothing is running or waiting. */
  idle(): Promise<void>;
}

interface Waiting {
  readonly messages: readonly OutgoingMessage[];
  readonly options: AppendOptions;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Messages from which on no further append joins a group. */
const FULL_GROUP = 500;

/**
 * Groups appends for `send`, which must keep the order; when it rejects, so does every append of the group. `send` calls
 * `assertAllowed` right before each write.
 */
export function createAppendQueue(
  send: (messages: readonly OutgoingMessage[], assertAllowed: () => void) => Promise<void>,
): AppendQueue {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  function nextGroup(): readonly Waiting[] {
    let messages = 0;
    const full = waiting.findIndex((append) => (messages += append.messages.length) >= FULL_GROUP);
    return waiting.splice(0, full === -1 ? waiting.length : full + 1);
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const group = nextGroup();
      try {
        await send(
          group.flatMap(({ messages }) => messages),
          () => group.forEach(({ options }) => options.assertAllowed?.()),
        );
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    running = undefined;
  }

  return {
    append(messages, options = {}) {
      if (messages.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        waiting.push({ messages, options, resolve, reject });
        running ??= drain();
      });
    },
    async idle() {
      await running;
    },
  };
}
