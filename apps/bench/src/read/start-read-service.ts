import { freePort } from '@blog-content/local-infrastructure';
import type { LocalSettings } from '@blog-content/local-services';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onCore } from '../processes/cores.ts';
import { nodeOptions } from '../processes/child.ts';

const workspaceRoot = join(import.meta.dirname, '../../../..');
const READY_TIMEOUT_MS = 60_000;

/** A public-read-service that answers at `port`. */
export interface ReadService {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts public-read-service as it is deployed, but for a loopback address and the core it is bound to, and waits until it
 * is ready. It ends with this process.
 */
export async function startReadService(options: {
  databaseUrl: string;
  /** Either `EVENT_LOG_DATABASE_URL` or `KAFKA_BROKERS`. */
  eventLog: Readonly<Record<string, string>>;
  settings: Pick<LocalSettings, 'ownerSessionJwks' | 'encryptionKeys'>;
  /** Size of its cache in MB; 0 for none. */
  cacheMb: number;
  core: number | undefined;
  logFile: string;
}): Promise<ReadService> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const [command, args] = onCore(options.core, process.execPath, [
    ...nodeOptions,
    `--import=${join(workspaceRoot, 'libs/local-services/src/stop-with-parent.mjs')}`,
    join(workspaceRoot, 'apps/public-read-service/src/main.ts'),
  ]);
  // Straight into the file: piping its log through this process would cost the load's core.
  const log = openSync(options.logFile, 'a');
  const child = spawn(command, args, {
    detached: true,
    stdio: ['pipe', log, log],
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: options.databaseUrl,
      ...options.eventLog,
      OWNER_SESSION_JWKS: options.settings.ownerSessionJwks,
      ENCRYPTION_KEYS: options.settings.encryptionKeys,
      READ_CACHE_MB: String(options.cacheMb),
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
    },
  });
  closeSync(log);
  const exited = once(child, 'exit');
  const service = {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };

  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady(adminPort))) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (ended || Date.now() > deadline) {
      if (!ended) await service.stop();
      const lastWords = (await readFile(options.logFile, 'utf8')).split('\n').slice(-10).join('\n');
      throw new Error(`public-read-service ${ended ? 'ended while starting' : 'is not ready'}:\n${lastWords}`);
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
