import { spawn, type ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

/** What ends this process ends its steps: Ctrl-C in a terminal reaches them by itself. */
export function endStepsOnSignals(): void {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      for (const child of running) child.kill(signal);
      process.exit(1);
    });
  }
}

/** Runs one step with its output shown; returns whether it passed. */
export function step(command: string, args: readonly string[], options: { env: NodeJS.ProcessEnv; cwd?: string }) {
  console.log(`\n> ${command} ${args.join(' ')}`);
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  running.add(child);
  return new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      running.delete(child);
      resolve(code === 0);
    });
  });
}
