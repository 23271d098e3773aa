/** Most of a receiver's answer that is read, in bytes (decisions "Webhooks"). */
export const MAX_ANSWER_BYTES = 64 * 1024;

export interface WebhookRequest {
  readonly url: string;
  /** POST unless given; a GET has no body. */
  readonly method?: 'POST' | 'GET';
  /** Header names as they are to be sent; `host`, `connection` and `content-length` are made when it is sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}
