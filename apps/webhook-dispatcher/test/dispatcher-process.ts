import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@blog-content/testing';

/** A dispatcher in a process of its own. */
export interface DispatcherProcess {
  /** The line `service.started`. */
  readonly started: Readonly<Record<string, unknown>>;
  /** Every line so far. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** Stops or continues the process, as a machine that sleeps does. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Sends the signal and resolves with the exit status (null when the signal ended the process) once it has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/** Starts `main.ts` as deployments do. */
export async function spawnDispatcher(env: Readonly<Record<string, string>>): Promise<DispatcherProcess> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--conditions=@blog-content/source', main], {
    env: { ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Record<string, unknown>[] = [];
  const exited = once(child, 'exit');
  const started = Promise.withResolvers<Record<string, unknown>>();
  if (child.stdout === null) throw new Error('the process has no standard output');
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Record<string, unknown>;
    lines.push(line);
    if (line['event'] === 'service.started') started.resolve(line);
  });
  const ended = exited.then(([code]) => {
    throw new Error(`the dispatcher ended with ${String(code)}: ${JSON.stringify(lines.at(-1))}`);
  });
  return {
    started: await Promise.race([started.promise, ended]),
    lines,
    signal(signal) {
      child.kill(signal);
    },
    async end(signal) {
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}
