import fc from 'fast-check';
import { AnswerReader } from './answer-reader.ts';
import { MAX_ANSWER_BYTES } from './webhook-request.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const MAX_HEAD = 16 * 1024;

/** What is made of an answer that comes in these parts, and then the end of the connection where `ends`. */
function readAll(parts: readonly (string | Buffer)[], ends = false) {
  const reader = new AnswerReader();
  for (const part of parts) reader.read(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
  if (ends) reader.end();
  const { statusCode, rawHeaders, isComplete, mayFollow } = reader;
  return { statusCode, rawHeaders, body: reader.body.toString('latin1'), isComplete, mayFollow };
}

const codeOf = (read: () => unknown): unknown => {
  try {
    read();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return undefined;
};

describe('an answer', () => {
  it('has a status, headers as they came, and a body of the length it says', () => {
    expect(readAll([`${OK}Content-Type: application/json\r\nX-Name:  é \r\ncontent-length: 2\r\n\r\n{}`])).toEqual({
      statusCode: 200,
      rawHeaders: ['Content-Type', 'application/json', 'X-Name', 'é', 'content-length', '2'],
      body: '{}',
      isComplete: true,
      mayFollow: true,
    });
  });

  it('is the same however its bytes are cut', () => {
    const answers = [
      `${OK}Content-Length: 5\r\n\r\nhello`,
      `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nX-Trailer: 1\r\n\r\n`,
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: 5\r\n\r\nhello`,
      'HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n',
      `${OK}X-Long: a\r\n b\r\nContent-Length: 5\r\n\r\nhello`,
      'HTTP/1.0 500 \r\n\r\nhello',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...answers), fc.uniqueArray(fc.nat(200), { maxLength: 12 }), (answer, cuts) => {
        const places = [0, ...cuts.filter((cut) => cut < answer.length).sort((a, b) => a - b), answer.length];
        const parts = places.slice(1).map((place, index) => answer.slice(places[index], place));
        expect(readAll(parts, true)).toEqual(readAll([answer], true));
      }),
    );
    expect(readAll([...(answers[1] ?? '')], true)).toMatchObject({ body: 'hello', isComplete: true, mayFollow: true });
    expect(readAll([...(answers[2] ?? '')], true)).toMatchObject({ statusCode: 200, body: 'hello' });
    expect(readAll([...(answers[4] ?? '')], true).rawHeaders.slice(0, 2)).toEqual(['X-Long', 'a b']);
  });

  it('without a length goes on until the connection ends', () => {
    expect(readAll([OK, '\r\n', 'hel', 'lo'])).toMatchObject({ body: 'hello', isComplete: false });
    expect(readAll([OK, '\r\n', 'hel', 'lo'], true)).toMatchObject({
      body: 'hello',
      isComplete: true,
      mayFollow: false,
    });
  });

  it.each([
    ['in its head', `${OK}Content-Le`],
    ['in its body', `${OK}Content-Length: 5\r\n\r\nhell`],
    ['in a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhell`],
    ['before the last chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`],
    ['after an interim one', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('that the connection cuts off %s has not ended', (_, answer) => {
    expect(readAll([answer], true)).toMatchObject({ isComplete: false, mayFollow: false });
  });

  it.each([
    ['a 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', 204],
    ['a 304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', 304],
    ['a 204 without a length', 'HTTP/1.1 204 No Content\r\n\r\n', 204],
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n', 101],
  ])('that is %s has no body', (_, answer, statusCode) => {
    expect(readAll([answer])).toMatchObject({
      statusCode,
      body: '',
      isComplete: true,
      mayFollow: statusCode === 304 || answer.includes('204 No Content\r\n\r\n'),
    });
  });

  it('is kept up to 64 KiB of its body', () => {
    const answer = (length: number) => readAll([`${OK}Content-Length: 100000\r\n\r\n`, Buffer.alloc(length, 'x')]);
    expect(answer(MAX_ANSWER_BYTES - 1)).toMatchObject({ isComplete: false });
    expect(answer(MAX_ANSWER_BYTES)).toMatchObject({ isComplete: true, mayFollow: false });
    expect(answer(MAX_ANSWER_BYTES + 1).body).toHaveLength(MAX_ANSWER_BYTES);
  });
});

describe('another answer may follow on its connection', () => {
  const body = 'Content-Length: 2\r\n\r\n{}';

  it.each([
    ['HTTP/1.1', OK, true],
    ['HTTP/1.1 that says keep-alive', `${OK}Connection: Keep-Alive\r\n`, true],
    ['HTTP/1.1 that says close', `${OK}Connection: Upgrade, Close\r\n`, false],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n', false],
    ['HTTP/1.0 that says keep-alive', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n', true],
  ])('after %s: %#', (_, head, mayFollow) => {
    expect(readAll([head, body])).toMatchObject({ isComplete: true, mayFollow });
  });

  it('not when more has come than was asked for', () => {
    expect(readAll([OK, body, 'x'])).toMatchObject({ body: '{}', isComplete: true, mayFollow: false });
    expect(readAll([`${OK}${body}x`])).toMatchObject({ body: '{}', isComplete: true, mayFollow: false });
    expect(readAll(['HTTP/1.1 204 No Content\r\n\r\nx'])).toMatchObject({ statusCode: 204, mayFollow: false });
  });
});

describe('no answer', () => {
  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'HPE_INVALID_CONSTANT'],
    ['a status that is none', 'HTTP/1.1 OK\r\n\r\n', 'HPE_INVALID_CONSTANT'],
    ['a status that begins with a zero', 'HTTP/1.1 099 OK\r\n\r\n', 'HPE_INVALID_CONSTANT'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', 'HPE_INVALID_CONSTANT'],
    ['HTTP/2 as text', 'HTTP/2 200\r\n\r\n', 'HPE_INVALID_CONSTANT'],
    ['a line without a colon', `${OK}nonsense\r\n\r\n`, 'HPE_INVALID_HEADER_TOKEN'],
    ['a name with a space', `${OK}Content-Length : 2\r\n\r\n`, 'HPE_INVALID_HEADER_TOKEN'],
    ['a line that ends with a line feed alone', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', 'HPE_INVALID_HEADER_TOKEN'],
    ['no status, also before its line ends', 'HTTP/1.1 garbage', 'HPE_INVALID_CONSTANT'],
    ['a chunk that goes on where it says it ends', `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\nXY`, 'HPE_STRICT'],
    [
      'a chunk’s size that is none, also before its line ends',
      `${OK}Transfer-Encoding: chunked\r\n\r\n2\nok`,
      'HPE_INVALID_CHUNK_SIZE',
    ],
    ['a trailer without a colon', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\na\r\n`, 'HPE_INVALID_HEADER_TOKEN'],
    ['a length with other white space than HTTP’s', `${OK}Content-Length:\xa02\r\n\r\n`, 'HPE_INVALID_CONTENT_LENGTH'],
    ['a control character', `${OK}X-Odd: a\0b\r\n\r\n`, 'HPE_INVALID_HEADER_TOKEN'],
    ['a line feed alone', `${OK}X-Odd: a\nContent-Length: 2\r\n\r\n`, 'HPE_INVALID_HEADER_TOKEN'],
    ['two lengths', `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\n`, 'HPE_INVALID_CONTENT_LENGTH'],
    ['a negative length', `${OK}Content-Length: -1\r\n\r\n`, 'HPE_INVALID_CONTENT_LENGTH'],
    [
      'a length beside chunks',
      `${OK}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n`,
      'HPE_UNEXPECTED_CONTENT_LENGTH',
    ],
    ['a chunk that is longer than it says', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n`, 'HPE_STRICT'],
    ['a chunk without a size', `${OK}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, 'HPE_INVALID_CHUNK_SIZE'],
  ])('is %s', (_, bytes, code) => {
    expect(codeOf(() => readAll([bytes]))).toBe(code);
  });

  it('has a head of more than 16 KiB, or a line of more than 4 KiB behind it', () => {
    const head = (length: number) => `${OK}X: ${'x'.repeat(length - OK.length - 3)}`;
    expect(codeOf(() => readAll([head(MAX_HEAD), '\r\nContent-Length: 0\r\n\r\n']))).toBe('HPE_HEADER_OVERFLOW');
    expect(codeOf(() => readAll([head(MAX_HEAD)]))).toBeUndefined();
    expect(readAll([head(MAX_HEAD), '\r\n\r\n'])).toMatchObject({ statusCode: 200 });
    expect(codeOf(() => readAll([head(MAX_HEAD + 1)]))).toBe('HPE_HEADER_OVERFLOW');
    const chunked = `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`;
    expect(codeOf(() => readAll([chunked, 'x'.repeat(4_096)]))).toBeUndefined();
    expect(codeOf(() => readAll([chunked, 'x'.repeat(4_097)]))).toBe('HPE_HEADER_OVERFLOW');
  });

  it.each([
    ['interim answers', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['trailers', 'X-More: 1\r\n'],
  ])('goes on for ever with %s: half a MiB of that is read', (what, part) => {
    const begin = what === 'trailers' ? [`${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`] : [];
    const parts = (bytes: number) => [...begin, part.repeat(Math.floor(bytes / part.length))];
    expect(codeOf(() => readAll(parts(512 * 1024 - 100)))).toBeUndefined();
    expect(codeOf(() => readAll(parts(512 * 1024 + 100)))).toBe('HPE_HEADER_OVERFLOW');
  });

  it('needs to be in large chunks', () => {
    const body = '1\r\nx\r\n'.repeat(MAX_ANSWER_BYTES);
    expect(readAll([`${OK}Transfer-Encoding: chunked\r\n\r\n${body}`])).toMatchObject({ isComplete: true });
  });
});
