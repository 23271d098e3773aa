import { createBatcher } from '@blog-content/concurrency';
import type { AppendOptions } from './event-log.ts';
import type { OutgoingMessage } from './messages/message.ts';

/** Appends one at a time; those that arrive while one runs share the next one. */
export interface AppendQueue {
  append(messages: readonly OutgoingMessage[], options?: AppendOptions): Promise<void>;
  /** Resolves when nothing is running or waiting. */
  idle(): Promise<void>;
}

interface Append {
  readonly messages: readonly OutgoingMessage[];
  readonly options: AppendOptions;
}

/** Messages from which on no further append joins a group. */
const FULL_GROUP = 500;

/**
 * Groups appends for `send`, which must keep the order; when it rejects, so does every append of the group. `send`
 * calls `assertAllowed` right before each write.
 */
export function createAppendQueue(
  send: (messages: readonly OutgoingMessage[], assertAllowed: () => void) => Promise<void>,
): AppendQueue {
  const batcher = createBatcher<Append, void>({
    maxSize: FULL_GROUP,
    sizeOf: ({ messages }) => messages.length,
    async run(group) {
      const messages = group.flatMap((append) => append.messages);
      await send(messages, () => group.forEach(({ options }) => options.assertAllowed?.()));
      return [];
    },
  });
  return {
    append: (messages, options = {}) =>
      messages.length === 0 ? Promise.resolve() : batcher.add({ messages, options }),
    idle: () => batcher.idle(),
  };
}
