import type { z } from 'zod';

/** One request to a model's server. */
export interface ModelRequest {
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  /** How the answer is bound to its form: by the schema itself, or as any JSON object. */
  readonly format: 'schema' | 'object';
  /** Whether the answer is to come piece by piece. */
  readonly isStreamed: boolean;
  readonly schema: z.ZodType;
  /** Names the schema. */
  readonly name: string;
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

export interface TokenUse {
  readonly input: number;
  readonly output: number;
}

export interface ModelAnswer {
  readonly text: string;
  /** The answer was cut at `maxTokens`. */
  readonly isCut: boolean;
  /** Null where the server does not say, or says nonsense. */
  readonly usage: TokenUse | null;
  /** The model that has answered, as the server names it; null where it does not. */
  readonly model: string | null;
  /** Whether it came piece by piece. */
  readonly streamed: boolean;
}

/** How a server takes requests for a model, as its refusals have taught; changed in place. */
export interface LearnedFormat {
  /** The best of the charged model's ways that it has taken. */
  wayIndex: number;
  /** Most servers know the older name alone, and OpenAI's reasoning models the newer one. */
  limitName: 'max_tokens' | 'max_completion_tokens';
}

/** A server that answers for one model. */
export interface ModelEndpoint {
  /** Takes its key, and what is secret in its address, out of a text. */
  readonly mask: (text: string) => string;
  /** @throws EndpointFailure; the abort's reason. */
  ask(request: ModelRequest): Promise<ModelAnswer>;
  /** Bytes of a picture. @throws EndpointFailure. Absent where no model makes pictures. */
  readonly draw?: (prompt: string, signal: AbortSignal) => Promise<Buffer>;
}

/** What came of a request that has failed. */
export interface EndpointFault {
  readonly kind:
    /** It does not take that `response_format`, or something else of the request. */
    | 'refused'
    /** Key, model or address are not right. */
    | 'not_allowed'
    | 'rate_limited'
    | 'unavailable'
    | 'timeout'
    /** Too long, cut, or no answer of this protocol. */
    | 'unusable'
    | 'address_refused';
  /** Null without an answer. */
  readonly status: number | null;
  /** What the server asks to wait. */
  readonly retryAfterMs: number | null;
  /** Whether the server may count it as done: nobody knows how far it came. */
  readonly mayBeCharged: boolean;
  /** The start of what it answered, without secrets; null when nothing came. */
  readonly answer: string | null;
  /** The network's word for what went wrong, such as `ECONNREFUSED`; null for anything else. */
  readonly code: string | null;
}

export class EndpointFailure extends Error {
  override readonly name = 'EndpointFailure';
  readonly fault: EndpointFault;

  constructor(fault: EndpointFault, options?: ErrorOptions) {
    super(`The model’s server: ${fault.kind}.`, options);
    this.fault = fault;
  }
}
