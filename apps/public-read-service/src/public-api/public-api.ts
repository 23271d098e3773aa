import type { IncomingMessage, ServerResponse } from 'node:http';
import { logUnexpected, type Logger } from '@blog-content/service-runtime';
import { answerRequest, type Answered } from './answer-request.ts';
import { send, serverError } from './answer.ts';
import type { PublicReadStore } from './public-read-store.ts';

/**
 * Answers a request of the public API; never rejects. `target` is path and query as received, which may hold a key: it is
 * not for the log. Resolves to the project whose key was presented, or null.
 */
export type PublicApi = (
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  logger: Logger,
) => Promise<string | null>;

/**
 * The public API as a function of Node's request and response, free of any framework, so that it can stand behind Express
 * or in front of it. Reads no request body.
 */
export function createPublicApi(store: PublicReadStore): PublicApi {
  return async (request, response, target, logger) => {
    const { authorization, 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
    const method = request.method ?? '';
    let answered: Answered;
    try {
      answered = await answerRequest(store, {
        method,
        target,
        authorization,
        acceptEncoding: [acceptEncoding ?? []].flat().join(',') || undefined,
        ifNoneMatch,
      });
    } catch (error) {
      logUnexpected(logger, error);
      answered = { answer: serverError, projectId: null };
    }
    send(response, answered.answer, method);
    return answered.projectId;
  };
}
