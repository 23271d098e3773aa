import { compileCache, freePort } from '@blog-content/local-infrastructure';
import type { ServiceName } from '@blog-content/payload-schemas';
import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeOptionsOf } from './node-options.ts';

const workspaceRoot = join(import.meta.dirname, '../../..');
const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 25;
const STOP_TIMEOUT_MS = 20_000;
const LAST_LINES = 15;

/** What images of the services consist of, as docker/Dockerfile puts them together. */
export interface AssembledServices {
  /** The program that runs them. */
  readonly node: string;
  /** Where `docker/assemble.mjs` has put the service: its image's root. */
  rootOf(name: ServiceName): string;
}

/** A service in a process of its own, on ports that it keeps over restarts. */
export interface ServiceProcess {
  readonly name: ServiceName;
  readonly port: number;
  readonly adminPort: number;
  readonly logFile: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** Starts it and waits until `/readyz` says ready. Rejects with the end of its log when it exits first. */
  start(): Promise<void>;
  /** Sends a signal and waits for the process to be gone. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Drains and ends it; `SIGKILL` when that takes over 20 s. */
  stop(): Promise<void>;
}

/** Prepares a service's process; nothing runs before `start()`. */
export async function prepareServiceProcess(options: {
  name: ServiceName;
  environment: Readonly<Record<string, string>>;
  logFolder: string;
  /** Of several processes of one service; counts from 1. */
  replica?: number;
  /** Runs this instead of the sources. */
  assembled?: AssembledServices;
}): Promise<ServiceProcess> {
  const { name, environment, logFolder, replica = 1, assembled } = options;
  mkdirSync(logFolder, { recursive: true });
  const logFile = join(logFolder, `${name}${replica === 1 ? '' : `-${replica}`}.log`);
  const port = await freePort();
  const adminPort = await freePort();
  let child: ChildProcess | undefined;

  const exited = (): Promise<void> =>
    new Promise((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) resolve();
      else child.once('exit', () => resolve());
    });

  return {
    name,
    port,
    adminPort,
    logFile,
    get pid() {
      return child && child.exitCode === null && child.signalCode === null ? child.pid : undefined;
    },
    async start() {
      const log = createWriteStream(logFile, { flags: 'a' });
      const started = spawn(
        assembled?.node ?? process.execPath,
        [
          ...(assembled ? [] : ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning']),
          ...nodeOptionsOf(name),
          `--import=${join(import.meta.dirname, 'stop-with-parent.mjs')}`,
          assembled
            ? join(assembled.rootOf(name), 'apps', name, 'dist', 'main.js')
            : join(workspaceRoot, 'apps', name, 'src', 'main.ts'),
        ],
        {
          // A process group of its own: Ctrl-C reaches only the parent, which then stops the services in order.
          detached: true,
          stdio: ['pipe', 'pipe', 'pipe'],
          env: {
            PATH: process.env['PATH'],
            HOME: process.env['HOME'],
            ...compileCache,
            ...environment,
            HOST: '127.0.0.1',
            PORT: String(port),
            ADMIN_PORT: String(adminPort),
          },
        },
      );
      child = started;
      started.stdin.on('error', () => undefined);
      started.stdout.pipe(log, { end: false });
      started.stderr.pipe(log, { end: false });
      started.once('exit', () => log.end());
      await untilReady(started);
    },
    async kill(signal) {
      if (child?.pid === undefined) return;
      child.kill(signal);
      await exited();
    },
    async stop() {
      if (!child) return;
      child.kill('SIGTERM');
      const killer = setTimeout(() => child?.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited();
      clearTimeout(killer);
    },
  };

  async function untilReady(started: ChildProcess): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    for (;;) {
      if (started.exitCode !== null || started.signalCode !== null) {
        // Killed while it was starting (a test does that): the killer knows.
        if (started.signalCode === 'SIGKILL') return;
        throw new Error(`${name} exited during startup. Last lines of ${logFile}:\n${endOfLog(logFile)}`);
      }
      const ready = await fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (ready) return;
      if (Date.now() > deadline) {
        throw new Error(
          `${name} is not ready after ${READY_TIMEOUT_MS / 1000} s. See ${logFile}:\n${endOfLog(logFile)}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
    }
  }
}

/** The last lines, and before them every error: a service that stops in order says much after what made it stop. */
function endOfLog(file: string): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const errors = lines.slice(0, -LAST_LINES).filter((line) => line.includes('"level":"error"'));
  return [...errors.slice(-LAST_LINES), ...lines.slice(-LAST_LINES)].join('\n');
}

/** Folder that holds an app's Prisma schema and migrations. */
export function prismaFolderOf(name: ServiceName): string {
  return join(workspaceRoot, 'apps', name, 'prisma');
}
