import type { modelTest } from '@blog-content/payload-schemas';
import { z } from 'zod';
import { readAnswer, WAYS } from '../budget/charged-model.ts';
import { startOfAnswer } from '../model/answer-record.ts';
import { describeFault } from '../model/describe-fault.ts';
import { EndpointFailure, type ModelAnswer, type ModelEndpoint, type ModelRequest } from '../model/endpoint.ts';

export type ModelTest = z.infer<typeof modelTest>;

/** Enough for the few words of the answer after the thoughts of a model that reasons. */
const MAX_TEST_TOKENS = 1_000;
const OK = 200;
const schema = z.object({ answer: z.string() });
const MESSAGES: ModelRequest['messages'] = [
  { role: 'system', content: 'You answer with a JSON object that has one field, `answer`, and with nothing else.' },
  { role: 'user', content: 'Say in one short sentence that you are ready to write.' },
];

export interface ModelTestDependencies {
  readonly endpoint: ModelEndpoint;
  /** Runs one request within the project's budget. @throws JobFailed when that is used up. */
  readonly charged: (
    request: Pick<ModelRequest, 'messages' | 'maxTokens'>,
    ask: () => Promise<ModelAnswer>,
  ) => Promise<ModelAnswer>;
  /** Milliseconds of a clock that only goes on. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/**
 * Asks a model for a few words, in each way that generations would, until it takes one. @returns what it answered, and
 * what of it generations can use.
 */
export async function testModel({ endpoint, charged, now, signal }: ModelTestDependencies): Promise<ModelTest> {
  const startedMs = now();
  const request = { messages: MESSAGES, schema, name: 'test', maxTokens: MAX_TEST_TOKENS, signal };
  const took = () => Math.round(now() - startedMs);
  let refusal: EndpointFailure | null = null;
  for (const way of WAYS) {
    try {
      return {
        ...judge(await charged(request, () => endpoint.ask({ ...request, ...way })), way, endpoint.mask),
        total_ms: took(),
      };
    } catch (error) {
      if (!(error instanceof EndpointFailure)) throw error;
      refusal = error;
      if (error.fault.kind !== 'refused') break;
    }
  }
  if (refusal === null) throw new Error('Model requests are not available.');
  const { fault } = refusal;
  return {
    succeeded: false,
    status_code: fault.status,
    total_ms: took(),
    model: null,
    answer: fault.answer,
    structured_output: null,
    streams: null,
    detail: describeFault({ ...fault, answer: null }),
  };
}

function judge(
  { text, isCut, model, streamed }: ModelAnswer,
  way: (typeof WAYS)[number],
  mask: ModelEndpoint['mask'],
): Omit<ModelTest, 'total_ms'> {
  const read = readAnswer(text, schema);
  const answered = { status_code: OK, model, answer: startOfAnswer(text, mask), streams: streamed };
  if (read.ok) {
    const structured_output = way.format === 'schema' ? ('schema' as const) : ('object' as const);
    return { succeeded: true, ...answered, structured_output, detail: null };
  }
  const wrong = isCut ? `it was cut off at ${MAX_TEST_TOKENS} tokens` : read.wrong;
  const detail = `The model responded, but not with the requested JSON: ${wrong}.`;
  return { succeeded: false, ...answered, structured_output: 'none', detail };
}
