const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_AT = 'HTTP/1.1 '.length;

/**
 * Counts off the responses in a stream of bytes, at as little cost as possible: a response is a head, and as many bytes
 * as its Content-Length says (none with 204 and 304). `onResponse` hears of each as its last byte is fed.
 */
export class ResponseReader {
  readonly #onResponse: (status: number, bodyBytes: number) => void;
  /** The beginning of a head whose end has not come. */
  #unfinished: Buffer | null = null;
  #status = 0;
  #bodyBytes = 0;
  #missing = 0;

  constructor(onResponse: (status: number, bodyBytes: number) => void) {
    this.#onResponse = onResponse;
  }

  /** Reads the next bytes, which are not kept. @throws Error for a head that does not say how long its body is */
  feed(bytes: Buffer): void {
    const chunk = this.#unfinished === null ? bytes : Buffer.concat([this.#unfinished, bytes]);
    this.#unfinished = null;
    let at = 0;
    while (at < chunk.length) {
      if (this.#missing === 0) {
        const end = chunk.indexOf(HEAD_END, at);
        if (end === -1) {
          this.#unfinished = Buffer.from(chunk.subarray(at));
          return;
        }
        this.#readHead(chunk.toString('latin1', at, end + 2));
        at = end + HEAD_END.length;
      }
      const taken = Math.min(this.#missing, chunk.length - at);
      this.#missing -= taken;
      at += taken;
      if (this.#missing === 0) this.#onResponse(this.#status, this.#bodyBytes);
    }
  }

  #readHead(head: string): void {
    this.#status = Number(head.slice(STATUS_AT, STATUS_AT + 3));
    const hasBody = this.#status !== 304 && this.#status !== 204;
    this.#bodyBytes = hasBody ? contentLength(head) : 0;
    this.#missing = this.#bodyBytes;
  }
}

function contentLength(head: string): number {
  const match = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (match === null) throw new Error(`A response does not say how long it is:\n${head}`);
  return Number(match[1]);
}
