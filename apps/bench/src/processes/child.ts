import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onCore } from './cores.ts';

/** Options of Node that run this workspace's sources as its images run (ADR 1). */
export const nodeOptions = [
  '--conditions=@blog-content/source',
  '--disable-warning=ExperimentalWarning',
  '--v8-pool-size=1',
];

/** A process of the bench that answers each question with one message. It ends with this process, however that ends. */
export interface Child {
  readonly pid: number;
  /** Rejects when the child says what went wrong, or ends. One question at a time. */
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a module (a `file:` address) that calls {@link answerParent}, on the given core. */
export function startChild(module: string, core: number | undefined): Child {
  const [execPath = '', ...execArgv] = onCore(core, process.execPath, nodeOptions).flat();
  const child = fork(fileURLToPath(module), [], { execPath, execArgv, serialization: 'advanced' });
  return {
    pid: child.pid ?? 0,
    async ask<Answer>(question: unknown) {
      child.send(question as object);
      const answer = await answerOf(child);
      if (typeof answer === 'object' && answer !== null && 'error' in answer) throw new Error(String(answer.error));
      return answer as Answer;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([answer]: unknown[]) => answer),
      once(child, 'exit', { signal }).then(() => Promise.reject(new Error('A process of the bench has ended.'))),
    ]);
  } finally {
    settled.abort();
  }
}

/** In a child: answers the parent's questions, and ends when the parent has gone. */
export function answerParent<Question>(answer: (question: Question) => Promise<unknown>): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (question: Question) => {
    answer(question).then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
}
