import { isStorableText } from '@blog-content/service-runtime';
import { MAX_URL_LENGTH } from '@blog-content/url-guard';
import { decodeHTMLAttribute } from 'entities';
import type { ScarceWork } from '../concurrency/scarce-work.ts';
import type { Lease } from '../http/exchange.ts';
import { replaceAddresses } from '../payload/link-live.ts';
import type { SourceImage, Target } from './destination.ts';
import type { DestinationStore, KeptImage } from './destination-store.ts';
import type { FetchedImage, FetchImage } from './fetch-image.ts';

/** Most images that one attempt takes over; the others keep their address until the next one. */
const MAX_COPIED_IMAGES = 20;
/** How long an attempt keeps copying images, in milliseconds. */
const IMAGES_MS = 60_000;

/** Puts an image into the system; null when it does not take it. */
export type Upload = (image: FetchedImage, alt: string) => Promise<KeptImage | null>;

/** The images of a post, as copies that the system has. */
export interface ImageCopies {
  /**
   * Takes over what the system has no copy of, and resolves to the copies by the given addresses. An image that cannot
   * be fetched, or is not taken, is missing: it keeps its address, which works as it is (contract §2.4.4).
   */
  take(images: readonly SourceImage[], upload: Upload): Promise<ReadonlyMap<string, KeptImage>>;
}

export interface ImageCopiesDependencies {
  readonly store: Pick<DestinationStore, 'findImages' | 'keepImage' | 'ownerOf'>;
  readonly fetchImage: FetchImage;
  readonly queue: ScarceWork['images'];
}

export function createImageCopies(
  { integrationId, projectId }: Pick<Target, 'integrationId' | 'projectId'>,
  lease: Lease,
  { store, fetchImage, queue }: ImageCopiesDependencies,
): ImageCopies {
  const copy = async (url: string, alt: string, upload: Upload, over: AbortSignal): Promise<KeptImage | null> => {
    const leave = await queue.enter(await store.ownerOf(projectId), over).catch(() => null);
    if (leave === null) return null;
    try {
      const fetched = await fetchImage(url, lease);
      const kept = fetched === null ? null : await upload(fetched, alt);
      if (kept === null || !isKeepable(kept.id) || !isKeepable(kept.url)) return null;
      await store.keepImage(integrationId, url, kept);
      return kept;
    } finally {
      leave();
    }
  };

  return {
    async take(images, upload) {
      const over = AbortSignal.any([lease.interrupted, AbortSignal.timeout(IMAGES_MS)]);
      const sources = new Map(images.map(({ url, alt }) => [url, { source: decodeHTMLAttribute(url), alt }]));
      const known = await store.findImages(
        integrationId,
        [...sources.values()].map(({ source }) => source),
      );
      const copies = new Map<string, KeptImage>();
      let taken = 0;
      for (const [url, { source, alt }] of sources) {
        const isLate = taken >= MAX_COPIED_IMAGES || over.aborted;
        if (!known.has(source) && isLate) continue;
        if (!known.has(source)) taken += 1;
        const kept = known.get(source) ?? (await copy(source, alt, upload, over));
        if (kept !== null) copies.set(url, kept);
      }
      return copies;
    },
  };
}

/** Whether the database can hold what a system says, and it is no longer than addresses are. */
export const isKeepable = (text: string): boolean => text.length <= MAX_URL_LENGTH && isStorableText(text);

/** The content with the copies' addresses in place of the images' own (contract §6.6). */
export function withCopies(content: string, copies: ReadonlyMap<string, KeptImage>): string {
  const addresses = new Map(Array.from(copies, ([url, copy]) => [url, attribute(copy.url)]));
  return replaceAddresses(content, 'src="', (rest) => {
    const length = rest.indexOf('"');
    const address = addresses.get(rest.slice(0, length));
    return address === undefined ? undefined : { address, length };
  });
}

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A request body of one file and some fields, as forms send it. */
export function formOf(file: FetchedImage, fields: Readonly<Record<string, string>>): { body: Buffer; type: string } {
  const boundary = `----${crypto.randomUUID()}`;
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`);
  const body = Buffer.concat([
    Buffer.from(
      `${texts.join('')}${part(`name="file"; filename="${file.fileName}"`)}Content-Type: ${file.type}\r\n\r\n`,
    ),
    file.bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}
