import { freePort } from '@blog-content/local-infrastructure';
import { nodeOptionsOf } from '@blog-content/local-services';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeOptions } from './child.ts';
import { onCore } from './cores.ts';

const workspaceRoot = join(import.meta.dirname, '../../../..');
const READY_TIMEOUT_MS = 60_000;

/** A service that answers at `port`. */
export interface RunningService {
  readonly port: number;
  readonly adminPort: number;
  readonly pid: number;
  stop(): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

/**
 * Starts a service as it is deployed, but for a loopback address and the core it is bound to, and waits until it is
 * ready. It ends with this process.
 */
export async function startService(
  name: 'public-read-service' | 'webhook-dispatcher',
  options: {
    readonly environment: Readonly<Record<string, string>>;
    readonly core: number | undefined;
    readonly logFile: string;
  },
): Promise<RunningService> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const [command, args] = onCore(options.core, process.execPath, [
    ...nodeOptions,
    ...nodeOptionsOf(name),
    `--import=${join(workspaceRoot, 'libs/local-services/src/stop-with-parent.mjs')}`,
    join(workspaceRoot, 'apps', name, 'src/main.ts'),
  ]);
  // Straight into the file: piping its log through this process would cost the load's core.
  const log = openSync(options.logFile, 'a');
  const child = spawn(command, args, {
    detached: true,
    stdio: ['pipe', log, log],
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      ...options.environment,
    },
  });
  closeSync(log);
  const exited = once(child, 'exit');
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await exited;
  };
  const service = { port, adminPort, pid: child.pid ?? 0, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };

  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady(adminPort))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || Date.now() > deadline) {
      if (!hasEnded) await service.stop();
      const lastWords = (await readFile(options.logFile, 'utf8')).split('\n').slice(-10).join('\n');
      throw new Error(`${name} ${hasEnded ? 'ended while starting' : 'is not ready'}:\n${lastWords}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return service;
}

async function isReady(adminPort: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
}
