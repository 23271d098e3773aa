import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@blog-content/testing';

/** The service in a process of its own, as deployments start it. */
export interface ServiceProcess {
  /** Ends it at once, as a machine that loses its power does, and waits for the end. */
  kill(): Promise<void>;
}

/** Resolves once it has started. @param env all of its environment, but for Node’s own. */
export async function spawnService(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@blog-content/source', main], {
    env: { ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const started = Promise.withResolvers<undefined>();
  let last = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = line;
    if (line.includes('"service.started"')) started.resolve(undefined);
  });
  const ended = exited.then(([code]) => {
    throw new Error(`content-service ended with ${String(code)}: ${last}`);
  });
  await Promise.race([started.promise, ended]);
  ended.catch(() => undefined);
  return {
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
