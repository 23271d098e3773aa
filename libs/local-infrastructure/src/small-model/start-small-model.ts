import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { checkOk, startServerProcess, untilReady } from '../server-process.ts';
import { packageRoot } from '../workspace-root.ts';
import { resolveModelFiles } from './model-files.ts';

const START_TIMEOUT_MS = 120_000;

/** A running small model. */
export interface RunningSmallModel {
  /** Base address of its OpenAI-compatible endpoint: `http://127.0.0.1:<port>/v1`. */
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts a real small language model (SmolLM2, 135 million parameters) behind an OpenAI-compatible endpoint on
 * loopback: JSON by schema, usage, streams, one answer at a time. It needs about 300 MB; what it writes makes no sense.
 *
 * @throws when it cannot be fetched, or does not start.
 */
export async function startSmallModel(onProgress?: (message: string) => void): Promise<RunningSmallModel> {
  const files = await resolveModelFiles(onProgress);
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-model-'));
  const port = await freePort();
  const server = await startServerProcess({
    command: process.execPath,
    args: [join(packageRoot, 'small-model', 'serve.mjs'), files, String(port)],
    cwd: folder,
    logFile: join(folder, 'model.log'),
    stopSignal: 'SIGTERM',
    deleteWhenOrphaned: [folder],
  });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  try {
    await untilReady('The small model', server, () => checkOk(`${baseUrl}/models`), START_TIMEOUT_MS);
    return { baseUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
