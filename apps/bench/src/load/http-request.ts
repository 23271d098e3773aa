import { request, type Dispatcher } from 'undici';

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
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Where the public API lives (contract §4). */
const PUBLIC_API = '/blog/api/v1/public';

/** What `node:http` adds to every answer by itself. */
const OF_CONNECTION = new Set(['date', 'connection', 'keep-alive']);

export function pathOf({ path }: Pick<PublicGet, 'path'>): string {
  return path.startsWith('/images/') ? path : `${PUBLIC_API}${path}`;
}

/** Makes the request once, on a connection of its own unless a dispatcher has one; the body is not decoded. */
export async function getOnce(port: number, get: PublicGet, dispatcher?: Dispatcher): Promise<WireAnswer> {
  const { statusCode, headers, body } = await request(`http://127.0.0.1:${port}${pathOf(get)}`, {
    headers: { authorization: `Bearer ${get.key}`, ...get.headers },
    ...(dispatcher === undefined ? { reset: true } : { dispatcher }),
  });
  const kept = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name));
  return {
    status: statusCode,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body: Buffer.from(await body.arrayBuffer()),
  };
}
