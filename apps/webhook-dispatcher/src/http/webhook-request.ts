/** Most of the head of a receiver's answer that is read, and most of its body, in bytes (contract "Webhooks"). */
export const MAX_ANSWER_BYTES = 64 * 1024;

/** One request to a receiver, or to the system of a direct integration. */
export interface WebhookRequest {
  /** POST when left out. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  /** Header names as they are to be sent; `host`, `connection` and `content-length` are made when it is sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** `close` for a connection of its own; `keep-alive` for one that may have been used before and may be used again. */
  readonly connection: 'close' | 'keep-alive';
  /**
   * Whether it is sent once more where a kept connection breaks before a byte of the answer: whoever gets it must be
   * able to take it twice. No, when left out.
   */
  readonly isRepeatable?: boolean;
}

/** One request to anybody: one without a body says nothing of its length. */
export interface OutgoingRequest extends Omit<WebhookRequest, 'body'> {
  readonly body: Uint8Array | null;
}

/** A header's name and value, as they go over the wire. */
export type HeaderPair = [name: string, value: string];

/** All headers of a request in the order they are sent, those that come with the connection first. */
export function headersOnWire({ url, headers, body, connection }: OutgoingRequest): HeaderPair[] {
  const length: HeaderPair[] = body === null ? [] : [['content-length', String(body.byteLength)]];
  return [['host', new URL(url).host], ['connection', connection], ...length, ...Object.entries(headers)];
}
