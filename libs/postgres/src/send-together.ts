import type { PoolClient } from 'pg';

/**
 * Sends statements in one piece, without waiting for an answer in between: they cost one round trip together. `send`
 * begins them, and gives their answers in the order in which the server carries them out. Each is a statement of its
 * own there: it sees what the one before did, and is carried out though that one failed; in a transaction it fails too.
 * Rejects with the first failure, when all have been answered.
 */
export async function sendTogether<const Answers extends readonly Promise<unknown>[]>(
  client: Pick<PoolClient, 'connection'>,
  send: () => Answers,
): Promise<{ -readonly [Index in keyof Answers]: Awaited<Answers[Index]> }> {
  const { stream } = client.connection;
  stream.cork();
  let answers: Answers;
  try {
    answers = send();
  } finally {
    stream.uncork();
  }
  await Promise.allSettled(answers);
  return Promise.all(answers) as never;
}
