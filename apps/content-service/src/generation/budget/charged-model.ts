import { excessOfJson } from '@blog-content/service-runtime';
import type { z } from 'zod';
import { JobFailed, TryLater } from '../jobs/job.ts';
import {
  EndpointFailure,
  type EndpointFault,
  type LearnedFormat,
  type ModelAnswer,
  type ModelEndpoint,
  type ModelRequest,
} from '../model/endpoint.ts';
import { startOfAnswer } from '../model/answer-record.ts';
import { describeFault, quoteAnswer } from '../model/describe-fault.ts';
import type { Model, Prompt } from '../model/model.ts';
import type { TokenPrices } from '../../money.ts';
import { chargePicture, chargeQuestion, type Charging } from './charge-call.ts';

/** Money in millionths: for a million tokens each way, and for a picture. */
export interface Prices extends TokenPrices {
  readonly imageMicros: number;
}

export interface ChargedModelOptions extends Charging {
  readonly name: string;
  readonly endpoint: ModelEndpoint;
  readonly learned: LearnedFormat;
  readonly prices: Prices;
  readonly signal: AbortSignal;
}

/** What of an answer goes back with the request to mend it. */
const MAX_MENDED = 8_000;
/** How a server is asked, the best first: some know no schemas, some refuse to stream. */
export const WAYS = [
  { format: 'schema', isStreamed: true },
  { format: 'object', isStreamed: true },
  { format: 'object', isStreamed: false },
] as const;

/**
 * A model whose every call is reserved before and settled after.
 *
 * An answer that does not fit its form is sent back once, to be mended. Servers that do not know `json_schema` are
 * asked for any JSON object, and those that refuse that too are not asked to stream.
 */
export function createChargedModel(options: ChargedModelOptions): Model {
  const { name, endpoint, learned, prices, signal } = options;

  async function askOnce(request: Omit<ModelRequest, 'format' | 'isStreamed' | 'signal'>): Promise<ModelAnswer> {
    const ask = (way: (typeof WAYS)[number]) =>
      chargeQuestion(options, prices, request, () => endpoint.ask({ ...request, ...way, signal }));
    for (let wayIndex = learned.wayIndex; ; wayIndex += 1) {
      try {
        const answer = await ask(WAYS[wayIndex] ?? WAYS[0]);
        learned.wayIndex = Math.max(learned.wayIndex, wayIndex);
        return answer;
      } catch (error) {
        const isRefused = error instanceof EndpointFailure && error.fault.kind === 'refused';
        if (!isRefused || wayIndex === WAYS.length - 1) throw error;
      }
    }
  }

  async function ask<Schema extends z.ZodType>(question: Prompt<Schema>): Promise<z.infer<Schema>> {
    const { system, prompt, schema, name: form, maxTokens } = question;
    const messages: ModelRequest['messages'][number][] = [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ];
    for (let isMended = false; ; isMended = true) {
      const { text, isCut } = await askOnce({ messages, schema, name: form, maxTokens });
      const read = readAnswer(text, schema);
      if (read.ok) return read.value;
      if (isMended) throw unusable(endpoint.mask(text), isCut ? 'it was cut' : read.wrong);
      const wrong = isCut ? 'it was too long and was cut: write less' : read.wrong;
      messages.push(
        { role: 'assistant', content: text.slice(0, MAX_MENDED).toWellFormed() },
        {
          role: 'user',
          content: `That is not the JSON that was asked for (${wrong}). Answer with the JSON object alone.`,
        },
      );
    }
  }

  const { draw } = endpoint;
  return {
    name,
    ask: (question) => failingAsJob(() => ask(question)),
    ...(draw && {
      draw: (prompt: string) =>
        failingAsJob(() => chargePicture(options, prices.imageMicros, () => draw(prompt, signal))),
    }),
  };
}

/** Quotes the answer: it says whether the model writes something else than JSON, or thinks aloud. */
function unusable(text: string, wrong: string): TryLater {
  const start = startOfAnswer(text, (whole) => whole);
  const quoted = start === null ? 'It was empty.' : quoteAnswer(start);
  return new TryLater('model_answer', `The model did not return the requested JSON: ${wrong}. ${quoted}`);
}

/** Whether an answer is the JSON that was asked for, and what it says. */
export function readAnswer<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): { readonly ok: true; readonly value: z.infer<Schema> } | { readonly ok: false; readonly wrong: string } {
  const json = withoutCodeBlock(text);
  // A complaint about each of a million values takes seconds, and most of the memory.
  const excess = excessOfJson(Buffer.from(json));
  if (excess !== null) return { ok: false, wrong: `it ${excess}` };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { ok: false, wrong: 'it is not JSON' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, wrong: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it does not match'}` };
}

/** Models like to put JSON into a code block. */
function withoutCodeBlock(text: string): string {
  const trimmed = text.trim();
  const isBlock = trimmed.length >= 6 && trimmed.startsWith('```') && trimmed.endsWith('```');
  return isBlock ? trimmed.slice(3, -3).replace(/^json/, '') : text;
}

async function failingAsJob<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EndpointFailure) throw asJobError(error, error.fault);
    throw error;
  }
}

/** The message quotes what the server has answered: without that nobody can tell what to change. */
function asJobError(cause: EndpointFailure, fault: EndpointFault): JobFailed | TryLater {
  const options = { cause };
  const message = describeFault(fault);
  switch (fault.kind) {
    case 'refused':
    case 'not_allowed':
      return new JobFailed('model_refused', message, options);
    case 'address_refused':
      return new JobFailed('model_address', message, options);
    case 'rate_limited':
      return new TryLater('model_busy', message, fault.retryAfterMs, options);
    case 'unavailable':
      return new TryLater('model_unavailable', message, fault.retryAfterMs, options);
    case 'timeout':
      return new TryLater('model_timeout', message, null, options);
    case 'unusable':
      return new TryLater('model_answer', message, null, options);
  }
}
