import { createMask, MASK, secretsInUrl } from '@blog-content/credentials';
import { excessOfJson, redactText } from '@blog-content/service-runtime';
import type OpenAi from 'openai';
import { recordAnswers, startOfAnswer, type AnswerRecord } from './answer-record.ts';
import { AnswerTooLong, isEventStream } from './bounded-fetch.ts';
import {
  EndpointFailure,
  type EndpointFault,
  type LearnedFormat,
  type ModelAnswer,
  type ModelEndpoint,
  type TokenUse,
} from './endpoint.ts';
import { failing } from './failing-request.ts';

export interface OpenAiEndpointOptions {
  /** Up to `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  readonly imageModel: string | null;
  readonly learned: LearnedFormat;
  readonly fetch: typeof fetch;
  /** Most time of one request. */
  readonly timeoutMs: number;
  readonly clock: () => Date;
}

/** Most characters of an answer that comes in pieces. */
const MAX_TEXT_LENGTH = 1024 * 1024;
const IMAGE_SIZE = '1536x1024';
/** Keys as providers write them: servers in between may have one of their own, and name a part of it. */
const KEY_OF_SOMEBODY = /\b(?:sk|pk|rk|gsk|xai|hf|ghp)[-_][\w*.-]{4,200}/g;
/** Longest name of a model that is believed, in characters. */
const MAX_MODEL_NAME = 200;
/** More tokens than any answer takes: who says so has not counted. */
const MAX_TOKENS_SAID = 100_000_000;

/** Any server that speaks OpenAI's Chat Completions, through the official SDK. Nothing is tried again here. */
export function createOpenAiEndpoint(options: OpenAiEndpointOptions): ModelEndpoint {
  const { model, imageModel, learned, clock } = options;
  const hide = createMask([...(options.apiKey === null ? [] : [options.apiKey]), ...secretsInUrl(options.baseUrl)]);
  const mask = (text: string) => redactText(hide(text)).replaceAll(KEY_OF_SOMEBODY, MASK);
  /** For one request. Loaded with the first: an idle replica needs none of it. */
  const open = async (record: AnswerRecord): Promise<OpenAi> => {
    const { default: Client } = await import('openai');
    return new Client({
      baseURL: options.baseUrl,
      // Servers on one's own machine have none, and the SDK wants one.
      apiKey: options.apiKey ?? 'none',
      organization: null,
      project: null,
      fetch: record.fetch,
      timeout: options.timeoutMs,
      maxRetries: 0,
      logLevel: 'off',
    });
  };
  const failingWith = <Result>(record: AnswerRecord, signal: AbortSignal, request: () => Promise<Result>) =>
    failing({ signal, clock, startOf: () => startOfAnswer(record.start(), mask) }, request);

  return {
    mask,

    async ask({ messages, format, isStreamed, schema, name, maxTokens, signal }) {
      const { zodResponseFormat } = await import('openai/helpers/zod');
      const record = recordAnswers(options.fetch);
      const openAi = await open(record);
      return failingWith(record, signal, async () => {
        const { limitName } = learned;
        const send = (limit: LearnedFormat['limitName']) =>
          openAi.chat.completions
            .create(
              {
                model,
                messages: [...messages],
                [limit]: maxTokens,
                response_format: format === 'schema' ? zodResponseFormat(schema, name) : { type: 'json_object' },
                ...(isStreamed && { stream: true, stream_options: { include_usage: true } }),
              },
              { signal },
            )
            .asResponse();
        const response = await send(limitName).catch(async (error: unknown) => {
          if (limitName !== 'max_tokens' || !wantsNewerLimit(error)) throw error;
          const taken = await send('max_completion_tokens');
          learned.limitName = 'max_completion_tokens';
          return taken;
        });
        // Some servers do not know `stream`, and answer as ever.
        return isEventStream(response.headers.get('content-type'))
          ? readStream(openAi, response, signal)
          : answerOf((await jsonOf(response)) as UncheckedAnswer);
      });
    },

    ...(imageModel !== null && {
      async draw(prompt: string, signal: AbortSignal) {
        const record = recordAnswers(options.fetch);
        const openAi = await open(record);
        return failingWith(record, signal, async () => {
          const asked = openAi.images.generate({ model: imageModel, prompt, n: 1, size: IMAGE_SIZE }, { signal });
          const answer = (await jsonOf(await asked.asResponse())) as UncheckedPictures;
          const bytes = answer?.data?.[0]?.b64_json;
          if (typeof bytes !== 'string' || bytes === '') throw new EndpointFailure(UNUSABLE);
          return Buffer.from(bytes, 'base64');
        });
      },
    }),
  };
}

const UNUSABLE: EndpointFault = {
  kind: 'unusable',
  status: 200,
  retryAfterMs: null,
  mayBeCharged: true,
  answer: null,
  code: null,
};
const CUT: EndpointFault = { ...UNUSABLE, kind: 'unavailable' };

interface AnswerText {
  readonly content?: unknown;
}
/** A stranger's answer, or a piece of one: as the protocol has it, and any of it may be missing or something else. */
type UncheckedAnswer = {
  readonly model?: unknown;
  readonly choices?: readonly ({
    readonly finish_reason?: unknown;
    readonly message?: AnswerText | null;
    readonly delta?: AnswerText | null;
  } | null)[];
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null;
} | null;

type UncheckedPictures = { readonly data?: readonly ({ readonly b64_json?: unknown } | null)[] } | null;

/** An answer's JSON. @throws EndpointFailure for more of it than anybody answers; SyntaxError. */
async function jsonOf(response: Response): Promise<unknown> {
  const bytes = Buffer.from(await response.arrayBuffer());
  if (excessOfJson(bytes) !== null) throw new EndpointFailure(UNUSABLE);
  return JSON.parse(bytes.toString('utf8'));
}

function answerOf(given: UncheckedAnswer): ModelAnswer {
  const choice = given?.choices?.[0];
  const text = choice?.message?.content;
  if (typeof text !== 'string') throw new EndpointFailure(UNUSABLE);
  return {
    text,
    isCut: choice?.finish_reason === 'length',
    usage: useOf(given?.usage),
    model: nameOf(given),
    streamed: false,
  };
}

/** Puts an answer together that comes in pieces. */
async function readStream(openAi: OpenAi, response: Response, signal: AbortSignal): Promise<ModelAnswer> {
  const { Stream } = await import('openai/streaming');
  let text = '';
  let finish: string | null = null;
  let usage: TokenUse | null = null;
  let model: string | null = null;
  for await (const given of Stream.fromSSEResponse<UncheckedAnswer>(response, new AbortController(), openAi)) {
    const choice = given?.choices?.[0];
    const piece = choice?.delta?.content;
    if (typeof piece === 'string') text += piece;
    if (text.length > MAX_TEXT_LENGTH) throw new AnswerTooLong();
    if (typeof choice?.finish_reason === 'string') finish = choice.finish_reason;
    usage = useOf(given?.usage) ?? usage;
    model ??= nameOf(given);
  }
  // The SDK ends a stream without a word when it was cancelled, and when it ends before the answer does.
  signal.throwIfAborted();
  if (finish === null) throw new EndpointFailure(CUT);
  return { text, isCut: finish === 'length', usage, model, streamed: true };
}

const nameOf = (given: UncheckedAnswer): string | null =>
  typeof given?.model === 'string' ? given.model.slice(0, MAX_MODEL_NAME).toWellFormed() : null;

function useOf(usage: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null | undefined) {
  const [input, output] = [usage?.prompt_tokens, usage?.completion_tokens];
  const isCount = (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKENS_SAID;
  return isCount(input) && isCount(output) ? ({ input, output } satisfies TokenUse) : null;
}

const wantsNewerLimit = (error: unknown): boolean =>
  (error as { readonly status?: unknown }).status === 400 &&
  error instanceof Error &&
  error.message.includes('max_completion_tokens');
