import type { deployHookTest } from '@blog-content/payload-schemas';
import { conflict, notFound, tooManyRequests } from '@blog-content/service-runtime';
import type { z } from 'zod';
import { hintFor } from './judge-hook.ts';
import type { MaskedRequest } from './make-request.ts';
import { type ClaimedRequest, MAX_HOOK_TESTS_PER_WINDOW, type RequestStore } from './request-store.ts';

/** Most of an answer's body that the owner is shown, in characters. */
const MAX_ANSWER = 1_000;

export interface TestHookOptions {
  readonly requests: Pick<RequestStore, 'startTest'>;
  readonly make: (claimed: ClaimedRequest) => Promise<MaskedRequest>;
  /** A test counts as interrupted after this long, in milliseconds: longer than an exchange may take. */
  readonly leaseMs: number;
}

/**
 * Requests a project's deploy hook once, now, and resolves to the result. @throws 404,
 * 409, 429 problems.
 */
export type TestHook = (projectId: string) => Promise<z.infer<typeof deployHookTest>>;

export function createTestHook({ requests, make, leaseMs }: TestHookOptions): TestHook {
  return async (projectId) => {
    const start = await requests.startTest(projectId, leaseMs);
    if (start.kind === 'no_hook') throw notFound('This project has no deploy hook.');
    if (start.kind === 'under_way') throw conflict('A test of this deploy hook is already running.');
    if (start.kind === 'too_many') {
      throw tooManyRequests(
        `Limit reached: ${MAX_HOOK_TESTS_PER_WINDOW} deploy hook tests per minute and project.`,
        start.retryAfterS,
      );
    }
    return showTest(start.claimed, await make(start.claimed));
  };
}

function showTest(
  { id, method }: ClaimedRequest,
  { outcome, verdict, timings, mask }: MaskedRequest,
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
    answer: outcome.kind === 'answered' ? startOf(outcome.body, mask) : null,
    detail: verdict.kind === 'succeeded' ? null : verdict.detail,
    hint: hintFor(outcome, method),
  };
}

/** The first characters of a body of any bytes, without secrets that the host has sent back. */
function startOf(body: Uint8Array, mask: (text: string) => string): string {
  // Masked before it is cut: half a secret would not be found.
  return mask(new TextDecoder().decode(body)).slice(0, MAX_ANSWER).toWellFormed();
}
