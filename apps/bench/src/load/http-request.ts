import { request, type Agent } from 'node:http';

/** A request of the public API, as the bench makes them, or of an image. */
export interface PublicGet {
  /** Below the public API's path, unless it begins with `/images/`. */
  readonly path: string;
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer as it stood on the wire, less what belongs to the connection. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Where the public API lives (contract §4). */
export const PUBLIC_API = '/blog/api/v1/public';

/** What `node:http` adds to every answer by itself. */
const ofConnection = new Set(['date', 'connection', 'keep-alive']);

/** The request as bytes for a connection that stays open. */
export function toRequestHead({ path, key, headers = {} }: PublicGet): string {
  const all = { Host: '127.0.0.1', Authorization: `Bearer ${key}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${PUBLIC_API}${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Makes the request once, on a connection of its own unless an agent has one; the body is not decoded. */
export async function getOnce(
  port: number,
  { path, key, headers = {} }: PublicGet,
  agent: Agent | false = false,
): Promise<WireAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  const call = request(
    {
      host: '127.0.0.1',
      port,
      path: path.startsWith('/images/') ? path : `${PUBLIC_API}${path}`,
      agent,
      headers: { authorization: `Bearer ${key}`, ...headers },
    },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { rawHeaders } = response;
        const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []));
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(pairs.filter(([name = '']) => !ofConnection.has(name.toLowerCase()))) as Record<
            string,
            string
          >,
          body: Buffer.concat(chunks),
        });
      });
    },
  );
  call.once('error', reject);
  call.end();
  return promise;
}
