// A server started here must survive the terminal's Ctrl-C (which reaches the whole foreground process group) until its
// owner has drained and stops it, and must not survive an owner that was killed. So each server leads a process group
// of its own, and a shell waits at the other end of a pipe that the kernel closes when the owner is gone, however it
// went.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a server is run. */
export interface ServerProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to the owner's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Standard output and error go to this file, which starts empty. */
  readonly logFile: string;
  /** The signal of an orderly stop. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  /** Folders to delete when the owner disappeared and the server has been stopped for it. */
  readonly deleteWhenOrphaned?: readonly string[];
}

/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running server. */
export interface ServerProcess {
  readonly pid: number;
  readonly logFile: string;
  /** Resolves when the process has ended, for any reason; never rejects. */
  readonly exited: Promise<ProcessExit>;
  hasExited(): boolean;
  /** Sends the stop signal and waits; after `graceMs` the process is killed. */
  stop(graceMs?: number): Promise<void>;
  /** SIGKILL, as a crash. */
  kill(): Promise<void>;
}

const watchdogScript = `
if read -r _; then exit 0; fi
signal=$1 pid=$2 tries=0
shift 2
kill -"$signal" "$pid" 2>/dev/null
while kill -0 "$pid" 2>/dev/null && [ "$tries" -lt 150 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL "$pid" 2>/dev/null
for folder in "$@"; do rm -rf "$folder"; done
`;

/** Starts a server as the head of this file describes. Rejects when the command cannot be run at all. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const log = openSync(options.logFile, 'w');
  let child: ChildProcess;
  try {
    child = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      detached: true,
      stdio: ['ignore', log, log],
      ...options.user,
    });
  } finally {
    closeSync(log);
  }
  const { promise: exited, resolve: resolveExit } = Promise.withResolvers<ProcessExit>();
  let ended = false;
  child.once('exit', (code, signal) => {
    ended = true;
    resolveExit({ code, signal });
  });
  const { promise: spawned, resolve, reject } = Promise.withResolvers<void>();
  child.once('spawn', resolve);
  child.once('error', reject);
  await spawned;
  child.on('error', () => undefined);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${options.command} started without a process ID.`);

  const watchdog = startWatchdog(pid, options);
  void exited.then(() => watchdog.release());
  child.unref();

  async function end(signal: NodeJS.Signals, graceMs: number): Promise<void> {
    if (ended) return;
    child.ref();
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(timer);
  }

  return {
    pid,
    logFile: options.logFile,
    exited,
    hasExited: () => ended,
    stop: (graceMs = 30_000) => end(options.stopSignal, graceMs),
    kill: () => end('SIGKILL', 1_000),
  };
}

function startWatchdog(pid: number, options: ServerProcessOptions): { release(): void } {
  const signal = options.stopSignal.slice('SIG'.length);
  const shell = spawn(
    '/bin/sh',
    ['-c', watchdogScript, 'watchdog', signal, String(pid), ...(options.deleteWhenOrphaned ?? [])],
    { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  return { release: () => void shell.stdin.end('released\n') };
}

const START_TIMEOUT_MS = 60_000;

/**
 * Calls `ready` until it resolves. A server that exits first, or takes longer than `timeoutMs`, is stopped, and the
 * error has the last lines of its log.
 */
export async function untilReady(
  name: string,
  server: ServerProcess,
  ready: () => Promise<unknown>,
  timeoutMs = START_TIMEOUT_MS,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await ready();
      return;
    } catch (error) {
      const exited = server.hasExited();
      if (exited || Date.now() > deadline) {
        await server.stop();
        const what = exited ? 'exited during startup' : `did not start within ${timeoutMs / 1_000} s`;
        const log = await tailOf(server.logFile);
        throw new Error(`${name} ${what}: ${messageOf(error)}\nLast log lines:\n${log}`, { cause: error });
      }
      await sleep(40);
    }
  }
}

/** Rejects unless the URL responds with a status of 2xx. */
export async function checkOk(url: string): Promise<void> {
  const { ok, status } = await fetch(url);
  if (!ok) throw new Error(`${url} responds ${status}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** The last `bytes` of a server's log, to be shown with the error that explains why it did not start. */
async function tailOf(logFile: string, bytes = 2_000): Promise<string> {
  try {
    await using file = await open(logFile);
    const { size } = await file.stat();
    const start = Math.max(0, size - bytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, start);
    return buffer.subarray(0, bytesRead).toString('utf8').trim();
  } catch {
    return '';
  }
}
