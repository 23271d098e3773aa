import type { Lease } from '../http/exchange.ts';
import type { Send } from './target-client.ts';

/** Largest image that is taken over, in bytes. */
const MAX_COPIED_IMAGE_BYTES = 10 * 1024 * 1024;
/** Longest fetch of one, in milliseconds. */
const IMAGE_FETCH_MS = 15_000;

/** An image as it was fetched. */
export interface FetchedImage {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly fileName: string;
}

/** Fetches an image by the rules of addresses; null when there is none that may be taken over. */
export type FetchImage = (url: string, lease: Lease) => Promise<FetchedImage | null>;

export function createFetchImage(send: Send, userAgent: string): FetchImage {
  return async (url, lease) => {
    const parsed = URL.parse(url);
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
    const headers = { 'user-agent': userAgent, accept: 'image/*' };
    const request = { method: 'GET', url: parsed.href, headers, body: new Uint8Array(), connection: 'close' } as const;
    const maxAnswerBytes = MAX_COPIED_IMAGE_BYTES + 1;
    const outcome = await send(request, { lease, timeoutMs: IMAGE_FETCH_MS, maxAnswerBytes });
    if (outcome.kind !== 'answered' || outcome.statusCode !== 200) return null;
    const { body } = outcome;
    const type = body.byteLength > MAX_COPIED_IMAGE_BYTES ? null : typeOf(Buffer.from(body));
    return type === null ? null : { bytes: body, type: `image/${type}`, fileName: fileNameOf(parsed, type) };
  };
}

/** By its first bytes: what a server calls it does not count. Drawings with scripts (SVG) are none. */
function typeOf(bytes: Buffer): 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | null {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(head)) return 'gif';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp';
  return /^.{4}ftypavi[fs]/s.test(head) ? 'avif' : null;
}

function fileNameOf({ pathname }: URL, type: string): string {
  const [last = ''] = pathname.split('/').slice(-1);
  const stem = last
    .replace(/\.[^.]*$/, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${stem.slice(0, 80) || 'image'}.${type === 'jpeg' ? 'jpg' : type}`;
}
