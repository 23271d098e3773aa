import { isAddressRefused } from '@blog-content/url-guard';
import type OpenAi from 'openai';
import { AnswerTooLong } from './bounded-fetch.ts';
import { EndpointFailure, type EndpointFault, type ModelEndpoint, type TokenUse } from './endpoint.ts';

export interface OpenAiEndpointOptions {
  /** Up to `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  readonly imageModel: string | null;
  readonly fetch: typeof fetch;
  /** Most time of one request. */
  readonly timeoutMs: number;
}

const IMAGE_SIZE = '1536x1024';
const RATE_LIMITED = 429;
const NEVER_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
const NOT_ALLOWED = new Set([401, 403, 404, 405]);

/** Any server that speaks OpenAI's Chat Completions, through the official SDK. Nothing is tried again here. */
export function createOpenAiEndpoint(options: OpenAiEndpointOptions): ModelEndpoint {
  const { model, imageModel } = options;
  let client: Promise<OpenAi> | undefined;
  /** Loaded with the first request: an idle replica needs none of it. */
  const open = () =>
    (client ??= import('openai').then(
      ({ default: Client }) =>
        new Client({
          baseURL: options.baseUrl,
          // Servers on one's own machine have none, and the SDK wants one.
          apiKey: options.apiKey ?? 'none',
          organization: null,
          project: null,
          fetch: options.fetch,
          timeout: options.timeoutMs,
          maxRetries: 0,
          logLevel: 'off',
        }),
    ));

  return {
    async ask({ messages, format, schema, name, maxTokens, signal }) {
      const { zodResponseFormat } = await import('openai/helpers/zod');
      const openAi = await open();
      const completion = await failing(signal, () =>
        openAi.chat.completions.create(
          {
            model,
            messages: [...messages],
            max_tokens: maxTokens,
            response_format: format === 'schema' ? zodResponseFormat(schema, name) : { type: 'json_object' },
          },
          { signal },
        ),
      );
      // A stranger's answer: its type is what the protocol says, not what came.
      const given = completion as unknown as {
        readonly choices?: readonly {
          readonly finish_reason?: unknown;
          readonly message?: { readonly content?: unknown };
        }[];
        readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null;
      } | null;
      const choice = given?.choices?.[0];
      const text = choice?.message?.content;
      if (typeof text !== 'string') throw new EndpointFailure(UNUSABLE);
      return { text, isCut: choice?.finish_reason === 'length', usage: useOf(given?.usage) };
    },

    ...(imageModel !== null && {
      async draw(prompt: string, signal: AbortSignal) {
        const openAi = await open();
        const answer = await failing(signal, () =>
          openAi.images.generate({ model: imageModel, prompt, n: 1, size: IMAGE_SIZE }, { signal }),
        );
        const bytes: unknown = answer.data?.[0]?.b64_json;
        if (typeof bytes !== 'string' || bytes === '') throw new EndpointFailure(UNUSABLE);
        return Buffer.from(bytes, 'base64');
      },
    }),
  };
}

const UNUSABLE: EndpointFault = { kind: 'unusable', status: 200, retryAfterMs: null, mayBeCharged: true };

function useOf(usage: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null | undefined) {
  const [input, output] = [usage?.prompt_tokens, usage?.completion_tokens];
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
  return isCount(input) && isCount(output) ? ({ input, output } satisfies TokenUse) : null;
}

/** Runs a request. @throws EndpointFailure for whatever its server has done. */
async function failing<Result>(signal: AbortSignal, request: () => Promise<Result>): Promise<Result> {
  const { APIConnectionTimeoutError, APIError } = await import('openai');
  try {
    return await request();
  } catch (error) {
    signal.throwIfAborted();
    const causes = causesOf(error);
    const fault = (kind: EndpointFault['kind'], more: Partial<EndpointFault> = {}) =>
      new EndpointFailure({ kind, status: null, retryAfterMs: null, mayBeCharged: true, ...more }, { cause: error });
    if (causes.some(isAddressRefused)) throw fault('address_refused', { mayBeCharged: false });
    if (causes.some((cause) => cause instanceof AnswerTooLong)) throw fault('unusable');
    if (error instanceof APIConnectionTimeoutError) throw fault('timeout');
    const status: unknown = error instanceof APIError ? error.status : undefined;
    if (error instanceof APIError && typeof status === 'number') {
      const answered = {
        status,
        retryAfterMs: retryAfterOf(error.headers as Headers | undefined),
        mayBeCharged: false,
      };
      if (status === RATE_LIMITED) throw fault('rate_limited', answered);
      if (status >= 500 || status === 408 || status === 409) throw fault('unavailable', answered);
      throw fault(NOT_ALLOWED.has(status) || status < 400 ? 'not_allowed' : 'refused', answered);
    }
    // Nothing was sent where there was nobody to send it to.
    const neverSent = causes.some((cause) => NEVER_SENT.has(codeOf(cause)));
    throw fault(error instanceof APIError ? 'unavailable' : 'unusable', { mayBeCharged: !neverSent });
  }
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code;

/** An error and what caused it, as far as it says. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 8; cause = cause.cause) causes.push(cause);
  return causes;
}

function retryAfterOf(headers: Headers | undefined): number | null {
  const given = headers?.get?.('retry-after');
  if (given == null) return null;
  const ms = /^\d{1,9}$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
