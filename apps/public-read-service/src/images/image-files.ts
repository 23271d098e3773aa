import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createChunkTurns } from '@blog-content/concurrency';
import { parseImageKey, type ImageStorage } from '@blog-content/image-storage';
import { logUnexpected, type Logger, type Metrics, type ObserveRequest } from '@blog-content/service-runtime';
import type { Answer } from '../http/answer.ts';
import { STALLED_MS, type Readers } from '../http/readers.ts';
import type { FindAccount } from './find-account.ts';
import { findImage, type ImageAnswer } from './find-image.ts';
import { methodNotAllowed, missing, preflight, storageTrouble, tooBusy } from './image-answers.ts';

const PATH = '/images';
const ROUTE = `${PATH}/:projectId/:file`;
/** Most images that are sent concurrently. With one more, the account that has most of them loses its oldest. */
const MAX_IMAGES = 384;
/** The least rate at which a reader may read. */
const IMAGE_MIN_BYTES_PER_S = 65_536;
export const IMAGE_READERS = {
  total: MAX_IMAGES,
  each: MAX_IMAGES,
  minBytesPerS: IMAGE_MIN_BYTES_PER_S,
  stalledMs: STALLED_MS,
};
const ANYBODY = '';

/** Sends an answer; to HEAD its headers only. */
function send(response: ServerResponse, { status, headers, body }: Answer, method: string | undefined): void {
  response.writeHead(status, headers as string[]).end(method === 'HEAD' ? null : body);
}

export interface ImageFilesDependencies {
  readonly storage: ImageStorage;
  readonly findAccount: FindAccount;
  readonly observe: ObserveRequest;
  readonly metrics: Pick<Metrics, 'gauge'>;
  /** Most bytes a second of all images together; 0 sets no limit. */
  readonly bytesPerS: number;
  readonly monotonicMs: () => number;
  readonly readers: Readers;
}

/**
 * The images of the storage as a function of Node's request and response: `GET` and `HEAD` of `/images/<key>`, without
 * any credential; other requests go to `next`. Reads no request body.
 */
export function createImageFiles(
  { storage, findAccount, observe, metrics, bytesPerS, monotonicMs, readers }: ImageFilesDependencies,
  next: RequestListener,
): RequestListener {
  const turn = createChunkTurns(bytesPerS, monotonicMs);
  /** Hundreds of requests may come together, and their account is not known yet. */
  const requestTurn = createChunkTurns(0, monotonicMs);
  metrics.gauge('public_image_streams', 'Image responses in progress.', [], (gauge) => gauge.set(readers.size));

  async function sendAnswer(
    response: ServerResponse,
    answer: ImageAnswer,
    accountId: string,
    left: AbortSignal,
  ): Promise<void> {
    if (!('image' in answer)) {
      send(response, answer, response.req.method);
      return;
    }
    const { image, status, headers } = answer;
    // Also while the storage is waited for.
    left.addEventListener('abort', () => image.body.destroy());
    response.writeHead(status, headers);
    for await (const chunk of image.body as AsyncIterable<Buffer>) {
      await turn(accountId, chunk.length);
      if (!response.write(chunk)) await once(response, 'drain', { signal: left });
    }
    response.end();
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
      if (left.aborted) return;
      const allow = readers.hold(response, accountId, 1);
      if (allow === null) {
        send(response, tooBusy, request.method);
        return;
      }
      const answer = (await findImage(storage, key, request)) ?? missing;
      if ('image' in answer) allow(answer.image.end - answer.image.start + 1);
      if (left.aborted && 'image' in answer) answer.image.body.destroy();
      else await sendAnswer(response, answer, accountId, left);
    } catch (error) {
      if (left.aborted) return;
      logUnexpected(logger, error);
      if (response.headersSent) request.socket.destroy();
      else send(response, storageTrouble, request.method);
    }
  }

  return (request, response) => {
    const target = request.url ?? '';
    if (!target.startsWith(PATH) || !/^[/?]?$/.test(target.charAt(PATH.length))) return next(request, response);
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
  };
}
