import { OperationalError, isBusy } from '@blog-content/service-runtime';
import { imageUrl } from '../../../images/image-urls.ts';
import type { Images } from '../../../images/open-images.ts';
import type { HotLink } from '../../hosting/image-links.ts';
import type { ImportPost } from '../archive/plan-import.ts';
import { DATA_IMAGES } from '../posts/data-images.ts';
import { changedPost } from './imported-images.ts';

/** Images that a file held, with its alternative texts, are taken into the library; what of them cannot is noted. */
export async function keepDataImages(
  { images, imageBaseUrl }: { readonly images: Pick<Images, 'save'>; readonly imageBaseUrl: string },
  { projectId, createdBy }: { readonly projectId: string; readonly createdBy: string },
  post: ImportPost,
  links: readonly HotLink[],
): Promise<ImportPost> {
  const urls = new Map<string, string>();
  const reasons: string[] = [];
  for (const { url, image } of post.dataImages ?? []) {
    const alt = links.find((link) => link.url === url)?.alt ?? '';
    const given = {
      projectId,
      createdBy,
      source: 'imported',
      bytes: Buffer.from(image, 'base64'),
      alt,
      name: '',
    } as const;
    try {
      urls.set(url, imageUrl(imageBaseUrl, (await images.save(given)).image));
    } catch (error) {
      if (!(error instanceof OperationalError) || isBusy(error)) throw error;
      reasons.push(error.errors?.[0]?.message ?? error.detail);
    }
  }
  const notes = reasons.map((reason) => `An embedded image was skipped: it ${reason}.`);
  return withDataImages({ ...post, notes: [...post.notes, ...notes] }, urls);
}

/** The post without what its file held as images. */
export function dropDataImages(post: ImportPost): ImportPost {
  const { length } = post.dataImages ?? [];
  if (length === 0) return post;
  const note =
    length === 1
      ? '1 embedded image was skipped. Use --host-images to import it.'
      : `${length} embedded images were skipped. Use --host-images to import them.`;
  return withDataImages({ ...post, notes: [...post.notes, note] }, new Map());
}

export const isDataImage = ({ url }: { readonly url: string }): boolean => url.startsWith(DATA_IMAGES);

/** An image without an address goes when the content is cleaned, with what is empty around it. */
function withDataImages(post: ImportPost, urls: ReadonlyMap<string, string>): ImportPost {
  const replace = (text: string): string =>
    (post.dataImages ?? []).reduce((written, { url }) => written.replaceAll(url, () => urls.get(url) ?? ''), text);
  return { ...changedPost(post, replace, replace, replace), dataImages: [] };
}
