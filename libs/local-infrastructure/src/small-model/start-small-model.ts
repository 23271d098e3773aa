import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { startServerProcess, tailOf } from '../server-process.ts';
import { packageRoot } from '../workspace-root.ts';
import { resolveModelFiles } from './model-files.ts';

const START_TIMEOUT_MS = 120_000;
const POLL_MS = 100;

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
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const isReady = await fetch(`${baseUrl}/models`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { baseUrl, stop };
    if (server.hasExited() || Date.now() > deadline) {
      const log = await tailOf(server.logFile);
      await stop();
      throw new Error(`The small model did not start:\n${log}`);
    }
    await pause(POLL_MS);
  }
}
