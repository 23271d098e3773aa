import type { Connection } from '../src/kept-connections.ts';
import type { UrlGuard } from '../src/url-guard.ts';

/**
 * Makes one request over the connections that a guard keeps, and releases its connection. Resolves with the answer, which has a
 * length or comes in one chunk; rejects with what the connection failed of.
 */
export function askKept({ agents }: UrlGuard, url: string): Promise<{ statusCode: number; body: string }> {
  const { protocol, hostname, port, host } = new URL(url);
  const keeper = protocol === 'https:' ? agents.kept.https : agents.kept.http;
  const { promise, resolve, reject } = Promise.withResolvers<{ statusCode: number; body: string }>();
  let connection: Connection | undefined;
  let text = '';
  keeper.connect(
    {
      begin(given) {
        connection = given;
        given.socket.write(`POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1\r\n\r\nx`);
      },
      read(bytes) {
        text += bytes.toString('latin1');
        const answer = readAnswer(text);
        if (answer === undefined) return;
        connection?.release(answer.headers.flatMap((line) => line.split(/: (.*)/, 2)));
        resolve(answer);
      },
      end: () => reject(new Error('The connection has ended.')),
      fail: reject,
    },
    { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) },
  );
  return promise;
}

function readAnswer(text: string) {
  const [head = '', rest] = text.split(/\r\n\r\n(.*)/s);
  const [statusLine = '', ...headers] = head.split('\r\n');
  const [, length] = /^content-length: (\d+)$/im.exec(head) ?? [];
  const [, chunk] = /^[\da-f]+\r\n(.*)\r\n0\r\n\r\n$/is.exec(rest ?? '') ?? [];
  const body = length === undefined ? chunk : rest;
  if (body === undefined || (length !== undefined && body.length < Number(length))) return undefined;
  return { statusCode: Number(statusLine.split(' ')[1]), headers, body };
}
