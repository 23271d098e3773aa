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
import type { Model, Prompt } from '../model/model.ts';
import type { Amount, BudgetStore, Reservation, Spending } from './budget-store.ts';
import { costOf, type TokenPrices } from '../money.ts';

/** Money in millionths: for a million tokens each way, and for a picture. */
export interface Prices extends TokenPrices {
  readonly imageMicros: number;
}

export interface ChargedModelOptions {
  readonly name: string;
  readonly endpoint: ModelEndpoint;
  readonly learned: LearnedFormat;
  readonly prices: Prices;
  /** Charges whom it works for. @throws JobFailed beyond a budget; LeaseLost. */
  readonly reserve: (amount: Amount) => Promise<Reservation>;
  readonly settle: BudgetStore['settle'];
  readonly signal: AbortSignal;
}

/** Tokens of a request beside those of its texts: roles, and the schema's own words. */
const REQUEST_TOKENS = 500;
/** What of an answer goes back with the request to mend it. */
const MAX_MENDED = 8_000;
/** How a server is asked, the best first: some know no schemas, some refuse to stream. */
const WAYS = [
  { format: 'schema', isStreamed: true },
  { format: 'object', isStreamed: true },
  { format: 'object', isStreamed: false },
] as const;
const NOTHING: Spending = { tokens: 0, micros: 0, inputTokens: 0, outputTokens: 0 };

/**
 * A model whose every call is reserved before and settled after. What a call may take at most is known before it: a
 * token is a byte at least. A call whose end nobody knows stays charged as reserved.
 *
 * An answer that does not fit its form is sent back once, to be mended. Servers that do not know `json_schema` are
 * asked for any JSON object, and those that refuse that too are not asked to stream.
 */
export function createChargedModel(options: ChargedModelOptions): Model {
  const { name, endpoint, learned, prices, reserve, settle, signal } = options;

  async function reserving<Result>(
    reserved: { readonly tokens: number; readonly micros: number },
    call: () => Promise<Result>,
    spentBy: (result: Result) => Spending | null,
  ): Promise<Result> {
    const reservation: Reservation = await reserve(reserved);
    let result: Result;
    try {
      result = await call();
    } catch (error) {
      if (error instanceof EndpointFailure && !error.fault.mayBeCharged) await settle(reservation, NOTHING);
      throw error;
    }
    const spent = spentBy(result);
    if (spent !== null) await settle(reservation, spent);
    return result;
  }

  async function askOnce(request: Omit<ModelRequest, 'format' | 'isStreamed' | 'signal'>): Promise<ModelAnswer> {
    const inputTokens =
      REQUEST_TOKENS + request.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    const reserved = {
      tokens: inputTokens + request.maxTokens,
      micros: costOf(inputTokens, request.maxTokens, prices),
    };
    const ask = (way: (typeof WAYS)[number]) =>
      reserving(
        reserved,
        () => endpoint.ask({ ...request, ...way, signal }),
        ({ usage, text }) => {
          // What the server says, also beyond what was reserved: it was spent. Where it does not say, it is as much as
          // that text can have been.
          const input = usage?.input ?? inputTokens;
          const output = usage?.output ?? Math.min(Buffer.byteLength(text), request.maxTokens);
          const counted =
            usage === null ? { inputTokens: 0, outputTokens: 0 } : { inputTokens: input, outputTokens: output };
          return { tokens: input + output, micros: costOf(input, output, prices), ...counted };
        },
      );
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
      if (isMended) throw new TryLater('model_answer', 'The answers of the model could not be used.');
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
        failingAsJob(() => {
          const micros = prices.imageMicros;
          return reserving(
            { tokens: 0, micros },
            () => draw(prompt, signal),
            () => ({ ...NOTHING, micros }),
          );
        }),
    }),
  };
}

function readAnswer<Schema extends z.ZodType>(
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
    return { ok: false, wrong: 'it is no JSON' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, wrong: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it does not fit'}` };
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

/** The message says nothing of what the server has answered: it is a stranger's text. */
function asJobError(cause: EndpointFailure, { kind, status, retryAfterMs }: EndpointFault): JobFailed | TryLater {
  const options = { cause };
  switch (kind) {
    case 'refused':
    case 'not_allowed':
      return new JobFailed(
        'model_refused',
        `The model’s server has refused the request with status ${status ?? '?'}: check its address, key and model.`,
        options,
      );
    case 'address_refused':
      return new JobFailed(
        'model_address',
        'The model’s server may not be called: its address is not public.',
        options,
      );
    case 'rate_limited':
      return new TryLater('model_busy', 'The model’s server asks to wait, again and again.', retryAfterMs, options);
    case 'unavailable':
      return new TryLater(
        'model_unavailable',
        'The model’s server could not be reached, or has trouble.',
        retryAfterMs,
        options,
      );
    case 'timeout':
      return new TryLater('model_timeout', 'The model’s server takes too long to answer.', null, options);
    case 'unusable':
      return new TryLater('model_answer', 'The answers of the model’s server could not be used.', null, options);
  }
}
