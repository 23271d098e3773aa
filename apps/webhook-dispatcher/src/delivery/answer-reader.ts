import { MAX_ANSWER_BYTES } from './webhook-request.ts';

/** Longest head of an answer, in bytes: that of `node:http`. */
const MAX_HEAD_BYTES = 16 * 1024;
/** Longest line between chunks, or of the trailer behind them. */
const MAX_LINE_BYTES = 4 * 1024;
/** Most of all that is read and not kept: interim answers and such lines. The longest body that is kept, byte by byte, needs 320 KiB. */
const MAX_OVERHEAD_BYTES = 512 * 1024;

const EMPTY = Buffer.alloc(0);
const END_OF_HEAD = '\r\n\r\n';
/** What a status line begins with. */
const STATUS = /^HTTP\/1\.[01] [1-9]\d\d(?:[ \r]|$)/;
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/;
// eslint-disable-next-line no-control-regex -- they are what it looks for
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;
const CHUNK_SIZE = /^[\da-f]{1,12}[ \t]*(?:[;\r]|$)/i;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const SWITCHING_PROTOCOLS = 101;

/** What follows the head: nothing, so many bytes, chunks, or whatever comes until the connection ends (RFC 9112 §6.3). */
type Framing = 'none' | 'length' | 'chunked' | 'until-end';

/**
 * Reads one answer of HTTP/1.x (RFC 9112) from the bytes of its connection, however they are cut: interim answers (1xx) are passed
 * over, nothing is decompressed, and of the body no more than {@link MAX_ANSWER_BYTES} is kept. A switch of protocols is an answer
 * without a body. What is written of an answer that is not HTTP is thrown, with a code of `node:http`.
 */
export class AnswerReader {
  /** Of the final answer, once its head has come. */
  statusCode: number | undefined;
  /** Names and values as they came, in turns. */
  rawHeaders: string[] = [];
  /** The answer has ended, or as much of it has come as is kept. */
  isComplete = false;
  /** It has ended where it says, and its connection may carry another one. */
  mayFollow = false;

  #rest: Buffer = EMPTY;
  readonly #body: Buffer[] = [];
  #kept = 0;
  #overhead = 0;
  #framing: Framing = 'none';
  /** Bytes that are still to come, of the body or of a chunk. */
  #due = 0;
  /** What the next line between chunks is. */
  #line: 'size' | 'end of chunk' | 'trailer' = 'size';
  #isPersistent = false;

  /** The beginning of the body. */
  get body(): Buffer {
    return Buffer.concat(this.#body).subarray(0, MAX_ANSWER_BYTES);
  }

  /** Takes what has come next; of the bytes it keeps copies. */
  read(bytes: Buffer): void {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (!this.isComplete) {
      const next = this.statusCode === undefined ? this.#readHead(rest) : this.#readBody(rest);
      if (next === undefined) break;
      rest = next;
    }
    // Nothing was asked for that could be answered by more.
    if (this.isComplete && rest.length > 0) this.mayFollow = false;
    this.#rest = this.isComplete || rest.length === 0 ? EMPTY : Buffer.from(rest);
  }

  /** The connection has ended: whether the answer has, too. */
  end(): boolean {
    if (this.statusCode !== undefined && this.#framing === 'until-end') this.isComplete = true;
    return this.isComplete;
  }

  /** What is left after a head; undefined where it has not come to its end. */
  #readHead(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(END_OF_HEAD);
    if (end > MAX_HEAD_BYTES || (end < 0 && bytes.length > MAX_HEAD_BYTES)) throw overflow();
    if (end < 0) {
      // Something else than HTTP may never have an end of a head.
      const begin = bytes.toString('latin1', 0, 13);
      if (!(begin.length < 12 ? 'HTTP/1.'.startsWith(begin.slice(0, 7)) : STATUS.test(begin))) throw notHttp();
      if (hasBareLineFeed(bytes)) throw broken('HPE_INVALID_HEADER_TOKEN', 'A line of the answer has no proper end.');
      return undefined;
    }
    const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
    const [, minor, status] = STATUS_LINE.exec(statusLine) ?? [];
    if (status === undefined) throw notHttp();
    const rest = this.#passOver(bytes, end + END_OF_HEAD.length);
    const statusCode = Number(status);
    if (statusCode < 200 && statusCode !== SWITCHING_PROTOCOLS) return rest;
    this.rawHeaders = readHeaders(lines);
    this.#frame(statusCode, minor === '1');
    this.statusCode = statusCode;
    return rest;
  }

  #frame(statusCode: number, isPersistentByDefault: boolean): void {
    const connection = listOf(this.rawHeaders, 'connection');
    this.#isPersistent = isPersistentByDefault ? !connection.includes('close') : connection.includes('keep-alive');
    const codings = listOf(this.rawHeaders, 'transfer-encoding');
    const lengths = new Set(listOf(this.rawHeaders, 'content-length'));
    if (statusCode < 200) {
      // Whatever is spoken on the connection from here on.
      this.#isPersistent = false;
      this.#end();
    } else if (statusCode === 204 || statusCode === 304) {
      // One that says it has a body may send it.
      const saysBody = codings.length > 0 || [...lengths].some((length) => length !== '0');
      if (statusCode === 204 && saysBody) this.#isPersistent = false;
      this.#end();
    } else if (codings.length > 0) {
      // Whoever says both may be read in two ways (RFC 9112 §6.1).
      if (lengths.size > 0) throw broken('HPE_UNEXPECTED_CONTENT_LENGTH', 'The answer has a length beside its coding.');
      this.#framing = codings.at(-1) === 'chunked' ? 'chunked' : 'until-end';
    } else if (lengths.size > 0) {
      const [length = ''] = lengths;
      if (lengths.size > 1 || !/^\d{1,15}$/.test(length)) {
        throw broken('HPE_INVALID_CONTENT_LENGTH', 'The answer’s Content-Length is no length.');
      }
      this.#framing = 'length';
      this.#due = Number(length);
      if (this.#due === 0) this.#end();
    } else {
      this.#framing = 'until-end';
    }
  }

  /** What is left after the next part of a body; undefined where more is needed. */
  #readBody(bytes: Buffer): Buffer | undefined {
    if (this.#framing === 'chunked' && this.#due === 0) return this.#readChunkLine(bytes);
    if (bytes.length === 0) return undefined;
    if (this.#framing === 'until-end') {
      this.#keep(bytes);
      return EMPTY;
    }
    const part = bytes.subarray(0, this.#due);
    this.#due -= part.length;
    this.#keep(part);
    if (this.#framing === 'length' && this.#due === 0) this.#end();
    return bytes.subarray(part.length);
  }

  /** A line between chunks. */
  #readChunkLine(bytes: Buffer): Buffer | undefined {
    // What is no such line may never have an end.
    const begin = bytes.toString('latin1', 0, 64);
    if (this.#line === 'end of chunk' && !'\r\n'.startsWith(begin.slice(0, 2))) {
      throw broken('HPE_STRICT', 'A chunk of the answer is longer than it says.');
    }
    if (this.#line === 'size' && begin !== '' && !CHUNK_SIZE.test(begin)) {
      throw broken('HPE_INVALID_CHUNK_SIZE', 'A chunk of the answer has no size.');
    }
    const end = bytes.indexOf('\r\n');
    if (end > MAX_LINE_BYTES || (end < 0 && bytes.length > MAX_LINE_BYTES)) throw overflow();
    if (end < 0) return undefined;
    const rest = this.#passOver(bytes, end + 2);
    if (this.#line === 'trailer') {
      if (end === 0) this.#end();
      else readHeaders([bytes.toString('latin1', 0, end)]);
      return rest;
    }
    if (this.#line === 'end of chunk') {
      this.#line = 'size';
      return rest;
    }
    this.#due = Number.parseInt(begin, 16);
    this.#line = this.#due === 0 ? 'trailer' : 'end of chunk';
    return rest;
  }

  #passOver(bytes: Buffer, length: number): Buffer {
    this.#overhead += length;
    if (this.#overhead > MAX_OVERHEAD_BYTES) throw overflow();
    return bytes.subarray(length);
  }

  #keep(part: Buffer): void {
    if (part.length > 0) this.#body.push(Buffer.from(part));
    this.#kept += part.length;
    if (this.#kept >= MAX_ANSWER_BYTES) this.isComplete = true;
  }

  #end(): void {
    this.isComplete = true;
    this.mayFollow = this.#isPersistent;
  }
}

function readHeaders(lines: readonly string[]): string[] {
  const raw: string[] = [];
  for (const line of lines) {
    if (CONTROL.test(line)) throw broken('HPE_INVALID_HEADER_TOKEN', 'A header of the answer has a control character.');
    // A value may go on in the next line (RFC 9112 §5.2).
    if (isBlank(line[0]) && raw.length > 0) {
      raw.push(`${raw.pop() ?? ''} ${trim(line)}`);
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    if (!NAME.test(name)) throw broken('HPE_INVALID_HEADER_TOKEN', 'A header of the answer has no name.');
    raw.push(name, trim(line.slice(colon + 1)));
  }
  return raw;
}

/** The elements of a header's values, in lower case; none when it is not there. */
function listOf(rawHeaders: readonly string[], name: string): string[] {
  const elements: string[] = [];
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const given = rawHeaders[place] ?? '';
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    for (const element of (rawHeaders[place + 1] ?? '').split(',')) elements.push(trim(element).toLowerCase());
  }
  return elements;
}

/** Without the white space that HTTP knows. A pattern for its end would try again at each of many blanks that are not at the end. */
function trim(text: string): string {
  let [begin, end] = [0, text.length];
  while (begin < end && isBlank(text[begin])) begin += 1;
  while (end > begin && isBlank(text[end - 1])) end -= 1;
  return text.slice(begin, end);
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

function hasBareLineFeed(bytes: Buffer): boolean {
  for (let place = bytes.indexOf(10); place >= 0; place = bytes.indexOf(10, place + 1)) {
    if (bytes[place - 1] !== 13) return true;
  }
  return false;
}

function broken(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

const overflow = () => broken('HPE_HEADER_OVERFLOW', 'The head of the answer is too long.');
const notHttp = () => broken('HPE_INVALID_CONSTANT', 'The answer is not HTTP.');
