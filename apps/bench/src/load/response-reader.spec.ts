import { ResponseReader } from './response-reader.ts';

const answers = Buffer.from(
  [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nDate: now\r\n\r\nabc\r\n',
    'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n',
    'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
  ].join(''),
);
const expected = [
  [200, 5],
  [304, 0],
  [404, 0],
  [200, 2],
];

describe('ResponseReader', () => {
  it.each([1, 2, 3, 7, 64, 1_000])('finds every response in pieces of %d bytes', (size) => {
    const seen: number[][] = [];
    const reader = new ResponseReader((...response) => seen.push(response));
    for (let at = 0; at < answers.length; at += size) reader.feed(answers.subarray(at, at + size));
    expect(seen).toEqual(expected);
  });
  it('refuses a response of unknown length', () => {
    const reader = new ResponseReader(() => undefined);
    expect(() => reader.feed(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'))).toThrow(
      'does not say how long',
    );
  });
});
