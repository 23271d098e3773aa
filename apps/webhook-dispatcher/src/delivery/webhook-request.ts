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

/** A header's name and value, as they go over the wire. */
export type HeaderPair = [name: string, value: string];

/** All headers of a request in the order they are sent, those that come with the connection first. */
export function headersOnWire(
  { url, method = 'POST', headers, body }: WebhookRequest,
  connection: 'close' | 'keep-alive',
): HeaderPair[] {
  const pairs: HeaderPair[] = [
    ['host', targetOf(url).authority],
    ['connection', connection],
  ];
  if (method === 'POST') pairs.push(['content-length', String(body.byteLength)]);
  for (const name of Object.keys(headers)) pairs.push([name, headers[name] ?? '']);
  return pairs;
}

/** Where a request goes. */
export interface Target {
  readonly isSecure: boolean;
  /** A name or an address, an IPv6 one without its brackets. */
  readonly host: string;
  readonly port: number;
  /** Host and port as the `host` header has them. */
  readonly authority: string;
  /** Path and query. */
  readonly path: string;
}

/** Most URLs whose parts are at hand: the deliveries to a receiver all go to the same one. */
const MAX_TARGETS = 1_000;
const targets = new Map<string, Target>();

/** @throws TypeError when it is no URL (`ERR_INVALID_URL`), or neither https nor http (`ERR_UNSUPPORTED_PROTOCOL`). */
export function targetOf(url: string): Target {
  const known = targets.get(url);
  if (known !== undefined) return known;
  const { protocol, hostname, port, host: authority, pathname, search } = new URL(url);
  const isSecure = protocol === 'https:';
  if (!isSecure && protocol !== 'http:') {
    throw Object.assign(new TypeError(`${protocol} is not spoken here.`), { code: 'ERR_UNSUPPORTED_PROTOCOL' });
  }
  const target = {
    isSecure,
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    authority,
    path: `${pathname}${search}`,
  };
  if (targets.size >= MAX_TARGETS) targets.clear();
  targets.set(url, target);
  return target;
}
