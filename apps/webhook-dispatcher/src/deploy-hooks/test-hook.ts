import type { deployHookTest } from '@blog-content/payload-schemas';
import { conflict, notFound, tooManyRequests } from '@blog-content/service-runtime';
import type { z } from 'zod';
import { hintFor } from './judge-hook.ts';
import type { MadeRequest } from './make-request.ts';
import type { ClaimedRequest, RequestStore } from './request-store.ts';

/** Most of an answer's body that the owner is shown, in characters. */
const MAX_ANSWER = 1_000;
/** UTF-8 takes no more bytes than this for one character. */
const MAX_BYTES = 4;
const BUSY_RETRY_S = 30;

export interface TestHookOptions {
  readonly requests: Pick<RequestStore, 'startTest'>;
  readonly make: (claimed: ClaimedRequest) => Promise<MadeRequest>;
  /** Most tests at once in this process. */
  readonly concurrency: number;
  /** A test is given up for interrupted after this long, in milliseconds: longer than an exchange may take. */
  readonly leaseMs: number;
}

/** Requests a project's deploy hook once, now, and tells what came of it. @throws 404, 409, 429 problems. */
export type TestHook = (projectId: string) => Promise<z.infer<typeof deployHookTest>>;

export function createTestHook({ requests, make, concurrency, leaseMs }: TestHookOptions): TestHook {
  let underWay = 0;
  return async (projectId) => {
    if (underWay >= concurrency) throw tooManyRequests('Too many deploy hooks are being tested.', BUSY_RETRY_S);
    underWay += 1;
    try {
      const start = await requests.startTest(projectId, leaseMs);
      if (start.kind === 'no_hook') throw notFound('This project has no deploy hook.');
      if (start.kind === 'under_way') throw conflict('A test of this deploy hook is under way.');
      return tell(start.claimed, await make(start.claimed));
    } finally {
      underWay -= 1;
    }
  };
}

function tell(
  { id, method }: ClaimedRequest,
  { outcome, verdict, timings }: MadeRequest,
): z.infer<typeof deployHookTest> {
  return {
    request_id: id,
    succeeded: verdict.kind === 'succeeded',
    status_code: outcome.kind === 'answered' ? outcome.statusCode : null,
    timings: timings && {
      connected_ms: timings.connectedMs,
      answer_ms: timings.answerMs,
      total_ms: timings.totalMs,
    },
    answer: outcome.kind === 'answered' ? startOf(outcome.body) : null,
    detail: verdict.kind === 'succeeded' ? null : verdict.detail,
    hint: hintFor(outcome, method),
  };
}

/** The first characters of a body, whatever bytes it holds. */
function startOf(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, MAX_BYTES * MAX_ANSWER));
  return text.slice(0, MAX_ANSWER).toWellFormed();
}
