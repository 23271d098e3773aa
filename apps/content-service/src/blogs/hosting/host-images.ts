import { OperationalError } from '@blog-content/service-runtime';
import { FetchRefused } from '../../platform/outgoing/guarded-get.ts';
import { imageUrl } from '../../images/image-urls.ts';
import type { Images } from '../../images/open-images.ts';
import { type HotLink, hotLinksOf } from './image-links.ts';

/** What became of an image of another host: its address here, or why it stays there. */
export type HostedImage = { readonly url: string } & ({ readonly hostedUrl: string } | { readonly reason: string });

export interface HostImagesDependencies {
  readonly images: Pick<Images, 'save' | 'fetch'>;
  readonly imageBaseUrl: string;
}

export interface HostingLimits {
  /** Most images. */
  readonly images: number;
  /** Most time in all. */
  readonly timeMs: number;
}

/** Concurrent fetches of images. */
const MAX_FETCHED_AT_ONCE = 3;
const MAX_NAME_LENGTH = 300;
const MAX_ALT_LENGTH = 2_000;

/** Fetches images of other hosts into the project's library. One that cannot be had costs no other. */
export async function fetchHotLinks(
  { images, imageBaseUrl }: HostImagesDependencies,
  { projectId, createdBy }: { readonly projectId: string; readonly createdBy: string },
  links: readonly HotLink[],
  limits: HostingLimits,
): Promise<HostedImage[]> {
  const until = performance.now() + limits.timeMs;
  const outcomes: HostedImage[] = [];
  const waiting = [...links.entries()];

  const hostOne = async ({ url, alt }: HotLink): Promise<HostedImage> => {
    try {
      const about = {
        projectId,
        createdBy,
        source: 'url',
        alt: alt.slice(0, MAX_ALT_LENGTH),
        name: nameOf(url),
      } as const;
      const { image } = await images.fetch(url, (bytes) => images.save({ ...about, bytes }));
      return { url, hostedUrl: imageUrl(imageBaseUrl, image) };
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === null) throw error;
      return { url, reason };
    }
  };
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, link] = next;
      if (index >= limits.images) {
        outcomes[index] = { url: link.url, reason: `was skipped: ${limits.images} images are hosted per request` };
      } else if (performance.now() > until) {
        outcomes[index] = { url: link.url, reason: 'was skipped: the others took too long' };
      } else outcomes[index] = await hostOne(link);
    }
  };
  await Promise.all(Array.from({ length: MAX_FETCHED_AT_ONCE }, work));
  return outcomes;
}

/** The addresses that changed. */
export function hostedUrls(outcomes: readonly HostedImage[]): Map<string, string> {
  return new Map(outcomes.flatMap((outcome) => ('hostedUrl' in outcome ? [[outcome.url, outcome.hostedUrl]] : [])));
}

/**
 * The outcomes, less the new addresses that the post has not got: Markdown may write one in a way that was not found
 * there.
 *
 * @param ownPrefix begins the addresses of the project's own images.
 */
export function withoutUnreplaced(
  outcomes: readonly HostedImage[],
  post: Parameters<typeof hotLinksOf>[0],
  ownPrefix: string,
): HostedImage[] {
  const left = new Set(hotLinksOf(post, ownPrefix).map(({ url }) => url));
  const reason = 'is in the library, but was not found in the Markdown: insert its new URL there';
  return outcomes.map((one) => ('hostedUrl' in one && left.has(one.url) ? { url: one.url, reason } : one));
}

/** Null for what is no fault of the image. */
function reasonOf(error: unknown): string | null {
  if (error instanceof FetchRefused) return error.message;
  if (!(error instanceof OperationalError)) return null;
  return error.errors?.[0]?.message ?? error.detail;
}

/** The last part of its path. */
function nameOf(url: string): string {
  const name = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name).slice(0, MAX_NAME_LENGTH).toWellFormed();
  } catch {
    return name.slice(0, MAX_NAME_LENGTH);
  }
}
