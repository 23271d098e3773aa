/** A request that failed permanently: refused, or without a usable answer after all tries. */
export class BlogApiError extends Error {
  override readonly name = 'BlogApiError';
  /** The answer's status; null when there was none. */
  readonly status: number | null;
  /** What was asked for, without the key. */
  readonly url: string;

  constructor(url: string, status: number | null, detail: string, options?: ErrorOptions) {
    super(`GET ${url}: ${detail}`, options);
    this.url = url;
    this.status = status;
  }
}
