import { spawn } from 'node:child_process';
import { join } from 'node:path';

type Line = Record<string, unknown> & { event: string };

/** The example service in a process of its own. */
export interface ServiceProcess {
  readonly lines: readonly Line[];
  readonly stderr: () => string;
  /** The first log line of that event, waiting for it; rejects when the process ends without one. */
  logged(event: string): Promise<Line>;
  signal(signal: 'SIGTERM' | 'SIGINT' | 'SIGUSR2'): void;
  /** The exit status, once it has ended. */
  readonly ended: Promise<number | null>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** An environment that the example service starts with. */
export const goodEnvironment = {
  HOST: '127.0.0.1',
  PORT: '0',
  ADMIN_PORT: '0',
  DATABASE_URL: 'postgresql://writer:hunter2@127.0.0.1/example',
  KAFKA_BROKERS: '127.0.0.1:9092',
  GREETING: 'top-secret-greeting',
};

// Compiled sources are kept, so that the next process loads them in half the time.
const folder = process.env['NODE_COMPILE_CACHE'];
const COMPILE_CACHE: Readonly<Record<string, string>> = folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };

export function startExampleService(environment: Readonly<Record<string, string>>): ServiceProcess {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@blog-content/source',
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, 'example-service.ts'),
    ],
    { env: { ...COMPILE_CACHE, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  let pending = '';
  let stderr = '';
  let over = false;
  const wake = () => waiting.forEach((look) => look());

  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (pending + text).split('\n');
    pending = parts.pop() ?? '';
    lines.push(...parts.map((part) => JSON.parse(part) as Line));
    wake();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (status) => {
      over = true;
      wake();
      resolve(status);
    });
  });

  return {
    lines,
    stderr: () => stderr,
    ended,
    signal: (signal) => child.kill(signal),
    logged: (event) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => line.event === event);
          if (!found && !over) return;
          waiting.delete(look);
          if (found) resolve(found);
          else reject(new Error(`The service ended without ${event}:\n${JSON.stringify(lines)}\n${stderr}`));
        };
        waiting.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
