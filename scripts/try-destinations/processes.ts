import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Runs a program to its end; what it prints is in the error when it fails. */
export const run = promisify(execFile);

const ANSWER_WITHIN_MS = 120_000;
const END_WITHIN_MS = 10_000;

/** Resolves when the address answers with a 2xx; rejects when the process has ended before, or takes too long. */
export async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  const untilMs = Date.now() + ANSWER_WITHIN_MS;
  while (Date.now() < untilMs && child.exitCode === null) {
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await sleep(200);
  }
  throw new Error(`${url} does not respond.`);
}

/**
 * Ends what was started when somebody ends this process: it leads process groups of its own, which nobody else would
 * end.
 *
 * @returns ends it now; a second call waits for the same end.
 */
export function endOnSignals(resources: AsyncDisposableStack): () => Promise<void> {
  let ending: Promise<void> | undefined;
  const end = () => (ending ??= resources.disposeAsync());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // It comes several times: to all of a group, and once more from the process that passes it on.
    process.on(signal, () => void end().finally(() => process.exit(1)));
  }
  return end;
}

/** Ends a process that leads a group, and the group. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { pid } = child;
  const exited = once(child, 'exit');
  process.kill(-pid, 'SIGTERM');
  const late = setTimeout(() => {
    process.kill(-pid, 'SIGKILL');
  }, END_WITHIN_MS);
  await exited;
  clearTimeout(late);
}
