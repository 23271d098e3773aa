import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const PARENT_POLL_MS = 250;

/** The process that runs now: what ends this one ends it too. */
let current;
/** The signal that ended this process, once there is one. */
let endedBy;

/** Passes on what ends this process: a signal, or the end of the npm that started it. */
export function endTogether() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      endedBy ??= signal;
      if (!current) process.exit(exitCodeOf(signal));
      // A Ctrl-C in a terminal reaches the child by itself, a SIGINT to npm alone does not: better twice than never.
      current.kill(signal);
    });
  }
  // Once npm is gone, so may be the reader of what is printed.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // Without npm the parent may be a shell that ends and leaves us running on purpose.
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const poll = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(poll);
    // A second signal would cut the child's orderly stop short.
    if (endedBy === undefined) process.kill(process.pid, 'SIGTERM');
  }, PARENT_POLL_MS);
  poll.unref();
}

/** Runs a command and resolves with its exit code, in a shell's form when a signal ended it. */
export async function runChild(command, args, options = {}) {
  if (endedBy) process.exit(exitCodeOf(endedBy));
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  current = child;
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => resolve(exitCode ?? exitCodeOf(signal)));
  });
  current = undefined;
  return code;
}

const exitCodeOf = (signal) => 128 + (constants.signals[signal] ?? 0);
