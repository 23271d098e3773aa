import { extras } from '@blog-content/payload-schemas';
import { imageUrl, type StoredName } from '../../../images/image-urls.ts';
import { hostedUrls, type HostedImage } from '../../hosting/host-images.ts';
import { replaceImages, replaceInMarkdown } from '../../hosting/image-links.ts';
import type { ImportPost } from '../archive/plan-import.ts';
import { EXPORTED_IMAGES, IMAGES_FROM_POSTS } from '../portable/portable-images.ts';

/** The fields of a post with the URL of one image. */
const IMAGE_FIELDS = ['featured_image_url', ...extras.images] as const;

/** The address of a stored image of any project and host; its name is that of its file in an export, a hash. */
const STORED =
  /https?:\/\/[^\s"'<>()]{1,200}?\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/([0-9a-f]{64})\.(?:jpg|png|webp|avif|gif)/g;

/** The hashes in the addresses of stored images that the text has. */
export const hashesIn = (text: string): string[] => [...text.matchAll(STORED)].map(([, hash = '']) => hash);

/** The text with other addresses of the images that the library has. @param images by {@link hashesIn}. */
export const withStoredImages = (
  text: string,
  images: ReadonlyMap<string, StoredName>,
  urlOf: (image: StoredName) => string,
): string =>
  text.replace(STORED, (address, hash: string) => {
    const image = images.get(hash);
    return image === undefined ? address : urlOf(image);
  });

/** The hashes in the addresses of stored images that the post has. */
export function imageHashesOf(post: ImportPost): string[] {
  const hashes = new Set<string>();
  const note = (text: string) => {
    for (const hash of hashesIn(text)) hashes.add(hash);
    return text;
  };
  changedPost(post, note, note, note);
  return [...hashes];
}

/** The post with the addresses that its images have in this project. @param images by {@link imageHashesOf}. */
export function withImportedImages(
  post: ImportPost,
  images: ReadonlyMap<string, StoredName>,
  baseUrl: string,
): ImportPost {
  const [missing, left] = [new Set<string>(), new Set<string>()];
  const byPath = new Map((post.pathImages ?? []).map(({ url, path }) => [url, path]));
  const renew = (text: string) =>
    text.replace(STORED, (address, hash: string) => {
      const image = images.get(hash);
      if (image !== undefined) return imageUrl(baseUrl, image);
      const path = byPath.get(address);
      if (path !== undefined) {
        left.add(path);
        return path;
      }
      if (!address.startsWith(EXPORTED_IMAGES)) return address;
      const file = address.slice(EXPORTED_IMAGES.length);
      missing.add(file);
      return `${IMAGES_FROM_POSTS}/${file}`;
    });
  const renewed = changedPost(post, renew, renew, renew);
  if (missing.size + left.size === 0) return renewed;
  const { generated_images: generated, ...request } = renewed.request;
  const isThere = (url: string) => /^https?:/i.test(url);
  for (const name of IMAGE_FIELDS) if (!isThere(request[name] ?? '')) delete request[name];
  const kept = { ...request, ...(generated && { generated_images: generated.filter(isThere) }) };
  const notes = [
    ...noteOn('Images missing from the archive and the library', missing),
    ...noteOn('Images not imported (kept as paths on your site)', left),
  ];
  return { ...renewed, request: kept, notes: [...post.notes, ...notes] };
}

const noteOn = (what: string, images: ReadonlySet<string>): string[] =>
  images.size === 0 ? [] : [`${what}: ${[...images].join('; ')}.`.slice(0, 1_500).toWellFormed()];

/** The post with the images that were taken over, and a note of those that were not. */
export function withHostedImages(post: ImportPost, outcomes: readonly HostedImage[]): ImportPost {
  const urls = hostedUrls(outcomes);
  const left = outcomes.flatMap((outcome) => ('reason' in outcome ? [`${outcome.url} ${outcome.reason}`] : []));
  const notes = left.length > 0 ? [`Images not copied: ${left.join('; ')}.`.slice(0, 1_500).toWellFormed()] : [];
  const hosted = changedPost(
    post,
    (html) => replaceImages(html, urls),
    (markdown) => replaceInMarkdown(markdown, urls),
    (url) => urls.get(url) ?? url,
  );
  return { ...hosted, notes: [...post.notes, ...notes] };
}

type Change = (text: string) => string;

export function changedPost(post: ImportPost, html: Change, markdown: Change, url: Change): ImportPost {
  const { content, content_markdown: source, generated_images: generated } = post.request;
  const request = {
    ...post.request,
    ...(content !== undefined && { content: html(content) }),
    ...(source !== undefined && { content_markdown: markdown(source) }),
    ...(generated !== undefined && { generated_images: generated.map(url) }),
  };
  for (const name of IMAGE_FIELDS) {
    const before = request[name];
    if (before != null) request[name] = url(before);
  }
  return { ...post, request };
}
