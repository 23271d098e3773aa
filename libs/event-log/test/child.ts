import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compileCache } from '@blog-content/testing';

/** A process of the test's own. */
export interface Child {
  /** The lines it has printed. */
  readonly lines: readonly string[];
  /** SIGKILL ends it immediately, SIGSTOP freezes it. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Kills it and waits for its end. */
  kill(): Promise<void>;
}

/** Runs a program of this folder with one argument, given as JSON. */
export function startChild(program: string, argument: unknown): Child {
  const child = spawn(
    process.execPath,
    ['--conditions=@blog-content/source', join(import.meta.dirname, program), JSON.stringify(argument)],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...compileCache } },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  return {
    lines,
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
