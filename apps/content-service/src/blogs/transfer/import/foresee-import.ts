import type { importPlan, importPlanFile } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import { hashOf } from '../../../images/library/save-image.ts';
import type { ImportPost, PlannedFile } from '../archive/plan-import.ts';
import { IMAGE_IS_THERE } from './import-file.ts';
import type { ImportRequest, TakenSlugs } from './import-store.ts';
import { leftAlone } from './same-post.ts';

type ForeseenFile = z.infer<typeof importPlanFile>;

/** What is kept of a planned file to foresee what becomes of it: not its content. */
export type SlimFile = Pick<ForeseenFile, 'path' | 'message'> &
  (
    | ({ readonly kind: 'post'; readonly title: string } & Pick<ImportPost, 'slug' | 'sameBy' | 'isDraft'>)
    | { readonly kind: 'image'; readonly hash: string }
    | { readonly kind: 'skipped' | 'failed' }
  );

/** What stands in the project already. */
export interface Standing {
  /** The slugs that are not free, with the titles of the blogs that have them. */
  readonly slugs: TakenSlugs;
  /** Hashes of images that are there. */
  readonly images: ReadonlySet<string>;
}

export async function slimFile(file: PlannedFile): Promise<SlimFile> {
  const { path } = file;
  if (file.status !== 'waiting') return { path, kind: file.status, message: file.message };
  if ('image' in file.post) {
    return { path, kind: 'image', hash: await hashOf(Buffer.from(file.post.image, 'base64')), message: null };
  }
  const { slug, sameBy, isDraft, notes, request } = file.post;
  const message = notes.length === 0 ? null : notes.join(' ');
  return { path, kind: 'post', slug, sameBy, title: request.title, isDraft, message };
}

/**
 * What an import would do, as things stand now. It makes nothing: an image is made anew or fetched, and content is
 * cleaned, only when the import runs, and each of its files looks again.
 */
export function foreseeImport(
  files: readonly SlimFile[],
  { publish, existing }: Pick<ImportRequest, 'publish' | 'existing'>,
  { slugs, images }: Standing,
): z.infer<typeof importPlan> {
  const known = new Set(images);
  const items = files.map((file): ForeseenFile => {
    const { path, message } = file;
    if (file.kind === 'image') {
      const isKnown = known.has(file.hash);
      known.add(file.hash);
      const said = isKnown ? IMAGE_IS_THERE : message;
      return { path, outcome: isKnown ? 'skip' : 'create', title: null, slug: null, publish: false, message: said };
    }
    if (file.kind !== 'post') {
      return {
        path,
        outcome: file.kind === 'skipped' ? 'skip' : 'fail',
        title: null,
        slug: null,
        publish: false,
        message,
      };
    }
    const { slug, title, isDraft } = file;
    const standing = slugs.get(slug);
    if (standing === 'held') {
      const held = `The slug “${slug}” is held by what a blog has published.`;
      return { path, outcome: 'fail', title: null, slug, publish: false, message: held };
    }
    const left = standing && leftAlone(file, standing, existing);
    if (left) {
      const outcome = left.status === 'skipped' ? 'skip' : 'fail';
      return { path, outcome, title: null, slug, publish: false, message: left.message };
    }
    const outcome = standing ? 'update' : 'create';
    return { path, outcome, title, slug, publish: publish && !isDraft, message };
  });
  const count = (outcome: ForeseenFile['outcome']) => items.filter((item) => item.outcome === outcome).length;
  return {
    create: count('create'),
    update: count('update'),
    skip: count('skip'),
    fail: count('fail'),
    publish: items.filter((item) => item.publish).length,
    items,
  };
}
