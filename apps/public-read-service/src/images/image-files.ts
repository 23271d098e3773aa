import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type ChunkTurn, createChunkTurns, TooBusy } from '@blog-content/concurrency';
import { parseImageKey, type ImageStorage } from '@blog-content/image-storage';
import { logUnexpected, type Logger, type Metrics, type ObserveRequest } from '@blog-content/service-runtime';
import { send } from '../http/answer.ts';
import type { FindAccount } from '../queries/find-account.ts';
import { findImage, type ImageAnswer } from './find-image.ts';
import { methodNotAllowed, missing, preflight, storageTrouble, tooBusy } from './image-answers.ts';
import { createImageStreams, type ImageStream, type ImageStreams } from './image-streams.ts';

const PATH = '/images';
const ROUTE = `${PATH}/:projectId/:file`;
/** A reader that has taken no byte for this long is gone. */
const IMAGE_STALLED_MS = 10_000;
/** How long a reader is waited for in all, beside what the image takes at the least rate. */
const IMAGE_READ_OFF_MS = 30_000;
/** The least rate at which a reader may read. */
const IMAGE_MIN_BYTES_PER_S = 65_536;
const ANYBODY = '';

export interface ImageFilesDependencies {
  readonly storage: ImageStorage;
  readonly findAccount: FindAccount;
  readonly observe: ObserveRequest;
  readonly metrics: Pick<Metrics, 'gauge'>;
  /** Most bytes a second of all images together; 0 sets no limit. */
  readonly bytesPerS: number;
  readonly monotonicMs: () => number;
  /** Made here unless given. */
  readonly streams?: ImageStreams;
  readonly stalledMs?: number;
}

/**
 * The images of the storage as a function of Node's request and response: `GET` and `HEAD` of `/images/<key>`, without
 * any credential. False for what is not a request of theirs. Reads no request body.
 */
export function createImageFiles({
  storage,
  findAccount,
  observe,
  metrics,
  bytesPerS,
  monotonicMs,
  streams = createImageStreams(monotonicMs),
  stalledMs = IMAGE_STALLED_MS,
}: ImageFilesDependencies): (...parameters: Parameters<RequestListener>) => boolean {
  const turn: ChunkTurn = createChunkTurns(bytesPerS, monotonicMs);
  /** Hundreds of requests may come at once, and whose they are is not known yet. */
  const requestTurn = createChunkTurns(0, monotonicMs);
  metrics.gauge('public_image_streams', 'Image responses in progress.', [], (gauge) => gauge.set(streams.count));

  async function sendAnswer(
    response: ServerResponse,
    answer: ImageAnswer,
    stream: ImageStream,
    accountId: string,
    left: AbortSignal,
  ): Promise<void> {
    if (!('image' in answer)) {
      send(response, answer, response.req.method);
      return;
    }
    const { image, status, headers } = answer;
    const maxMs = IMAGE_READ_OFF_MS + ((image.end - image.start + 1) / IMAGE_MIN_BYTES_PER_S) * 1_000;
    response.setTimeout(stalledMs, () => void response.req.socket.destroy());
    // Also while the storage is waited for.
    left.addEventListener('abort', () => image.body.destroy());
    response.writeHead(status, headers);
    for await (const chunk of image.body as AsyncIterable<Buffer>) {
      await turn(accountId, chunk.length);
      if (!response.write(chunk)) await stream.awaitReader(once(response, 'drain', { signal: left }), maxMs);
    }
    const taken = once(response, 'finish', { signal: left });
    response.end();
    await stream.awaitReader(taken, maxMs);
  }

  async function answerObserved(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    projectId: string,
    logger: Logger,
  ): Promise<void> {
    const leaving = new AbortController();
    const left = leaving.signal;
    response.once('close', () => leaving.abort());
    try {
      await requestTurn(ANYBODY, 0);
      const accountId = await findAccount(projectId);
      const stream = await streams.begin(accountId, () => void request.socket.destroy(), left);
      left.addEventListener('abort', () => stream.end());
      if (left.aborted) stream.end();
      const answer = (await findImage(storage, key, request)) ?? missing;
      if (left.aborted && 'image' in answer) answer.image.body.destroy();
      else await sendAnswer(response, answer, stream, accountId, left);
    } catch (error) {
      if (left.aborted) return;
      if (!(error instanceof TooBusy)) logUnexpected(logger, error);
      if (response.headersSent) request.socket.destroy();
      else send(response, error instanceof TooBusy ? tooBusy : storageTrouble, request.method);
    }
  }

  return (request, response) => {
    const target = request.url ?? '';
    if (!target.startsWith(PATH) || !/^[/?]?$/.test(target.charAt(PATH.length))) return false;
    const key = target.slice(PATH.length + 1).split('?', 1)[0] ?? '';
    const name = parseImageKey(key);
    const observed = observe(request, response, target, () => (name === null ? PATH : ROUTE));
    const { method } = request;
    if (method === 'OPTIONS') send(response, preflight, method);
    else if (method !== 'GET' && method !== 'HEAD') send(response, methodNotAllowed, method);
    else if (name === null) send(response, missing, method);
    else {
      observed.log['project_id'] = name.projectId;
      void answerObserved(request, response, key, name.projectId, observed.logger);
    }
    return true;
  };
}
