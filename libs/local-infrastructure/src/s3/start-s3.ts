import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { checkOk, startServerProcess, untilReady, type ServerProcess } from '../server-process.ts';
import { versitygw } from './versitygw.ts';

export interface StartS3Options {
  /** Created when missing; holds the buckets. */
  readonly dataDir: string;
  /** Deletes `dataDir` on `stop`, and when this process disappears without it. */
  readonly disposable?: boolean | undefined;
  /** Told in one sentence what takes time. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** An S3 server without buckets, on loopback. */
export interface RunningS3 {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): Promise<void>;
  /** SIGKILL, as a crash. */
  kill(): Promise<void>;
  /** Again on the same port and data, with the same credentials. */
  restart(): Promise<void>;
}

/** Starts an S3 server (versitygw) with credentials of its own. @throws S3UnavailableError when there can be none */
export async function startS3({ dataDir, disposable = false, onProgress }: StartS3Options): Promise<RunningS3> {
  const command = await versitygw(onProgress);
  const [data, meta, iam] = [join(dataDir, 'data'), join(dataDir, 'meta'), join(dataDir, 'iam')];
  for (const folder of [data, meta, iam]) await mkdir(folder, { recursive: true });
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const accessKeyId = 'local';
  const secretAccessKey = randomBytes(24).toString('base64url');

  async function launch(): Promise<ServerProcess> {
    const server = await startServerProcess({
      command,
      args: [
        ...['--port', `127.0.0.1:${port}`, '--health', '/healthz', '--quiet'],
        // For more keys than the root's, made with `versitygw admin`.
        ...['--iam-dir', iam, '--iam-cache-disable'],
        ...['posix', '--sidecar', meta, data],
      ],
      cwd: dataDir,
      env: { ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
      logFile: join(dataDir, 'server.log'),
      stopSignal: 'SIGTERM',
      ...(disposable && { deleteWhenOrphaned: [dataDir] }),
    });
    await untilReady('The S3 server', server, () => checkOk(`${endpoint}/healthz`));
    return server;
  }

  let server = await launch();
  return {
    endpoint,
    region: 'us-east-1',
    accessKeyId,
    secretAccessKey,
    kill: () => server.kill(),
    async restart() {
      await server.stop();
      server = await launch();
    },
    async stop() {
      await server.stop();
      if (disposable) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
