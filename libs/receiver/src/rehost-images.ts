import type { PostEvent } from './events.ts';
import { readBody } from './read-body.ts';

/** An image that was fetched. */
export interface FetchedImage {
  /** Where it came from. */
  readonly url: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the answer, such as `image/webp`. */
  readonly contentType: string;
}

export interface RehostOptions {
  /** The only host that is fetched from, such as `cdn.example.com`. */
  readonly cdnHost: string;
  /** Keeps an image and gives its new URL. */
  store(image: FetchedImage): Promise<string>;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Of one image: 20 MB unless given. */
  readonly maxBytes?: number;
  /** Of one post: 50 unless given. */
  readonly maxImages?: number;
  /** For one image: 15,000 unless given. */
  readonly timeoutMs?: number;
}

const TYPES = /^image\/(avif|gif|jpeg|png|webp)$/;

/**
 * Copies a post's images to you and gives the post with their new URLs, in `content`, `images` and
 * `featured_image_url`. Only images on `cdnHost` are fetched, by https and without following redirects; all others stay
 * where they are.
 *
 * @throws when one of them cannot be had, so that the delivery fails and is tried again
 */
export async function rehostImages(post: PostEvent, options: RehostOptions): Promise<PostEvent> {
  const hero = post.featured_image_url;
  const urls = [...post.images.map(({ url }) => unescape(url)), ...(hero === null ? [] : [hero])];
  const moved = new Map<string, string>();
  for (const url of new Set(urls.filter((url) => isOn(options.cdnHost, url)))) {
    if (moved.size >= (options.maxImages ?? 50)) break;
    moved.set(url, await options.store(await fetchImage(url, options)));
  }
  /** The new URL for one, both as they are written in HTML. */
  const inHtml = (url: string) => {
    const to = moved.get(unescape(url));
    return to === undefined ? url : escape(to);
  };
  return {
    ...post,
    content: post.content.replace(/ src="([^"]*)"/g, (_whole, url: string) => ` src="${inHtml(url)}"`),
    images: post.images.map((image) => ({ ...image, url: inHtml(image.url) })),
    featured_image_url: hero === null ? null : (moved.get(hero) ?? hero),
  };
}

function isOn(cdnHost: string, text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, username, password } = new URL(text);
  return protocol === 'https:' && host === cdnHost.toLowerCase() && username === '' && password === '';
}

async function fetchImage(url: string, options: RehostOptions): Promise<FetchedImage> {
  const { fetch = globalThis.fetch, maxBytes = 20 * 1024 * 1024, timeoutMs = 15_000 } = options;
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  const contentType = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  const problem =
    response.status !== 200 ? `returned ${response.status}` : !TYPES.test(contentType) ? 'not an image' : null;
  if (problem !== null) {
    await response.body?.cancel();
    throw new Error(`${url}: ${problem}`);
  }
  const bytes = await readBody(response, maxBytes);
  if (bytes === null) throw new Error(`${url}: more than ${maxBytes} bytes`);
  return { url, bytes, contentType };
}

/** URLs in `content` and `images` have `&amp;`. */
const unescape = (url: string) => url.replaceAll('&amp;', '&');
const escape = (url: string) => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
