import type { importPlan, importPlanFile } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import { hashOf } from '../../../images/library/save-image.ts';
import type { ImportPost, PlannedFile } from '../archive/plan-import.ts';
import { isTooFarAhead } from '../../publishing/schedule-change-store.ts';
import { IMAGE_IS_THERE } from './import-file.ts';
import type { ImportRequest, TakenSlugs } from './import-store.ts';
import { leftAlone } from './same-post.ts';

type ForeseenFile = z.infer<typeof importPlanFile>;

/** What is kept of a planned file to foresee what becomes of it: not its content. */
export type SlimFile = Pick<ForeseenFile, 'path' | 'message'> &
  (
    | ({ readonly kind: 'post'; readonly title: string } & Pick<ImportPost, 'slug' | 'sameBy' | 'isDraft' | 'date'>)
    | { readonly kind: 'image'; readonly hash: string }
    | { readonly kind: 'skipped' | 'failed' }
  );

/** What stands in the project already. */
export interface Standing {
  /** The slugs that are not free, with the titles of the blogs that have them. */
  readonly slugs: TakenSlugs;
  /** Hashes of images that are there. */
  readonly images: ReadonlySet<string>;
  readonly now: Date;
}

export async function slimFile(file: PlannedFile): Promise<SlimFile> {
  const { path } = file;
  if (file.status !== 'waiting') return { path, kind: file.status, message: file.message };
  if ('image' in file.post) {
    return { path, kind: 'image', hash: await hashOf(Buffer.from(file.post.image, 'base64')), message: null };
  }
  const { slug, sameBy, isDraft, date, notes, request } = file.post;
  const message = notes.length === 0 ? null : notes.join(' ');
  return { path, kind: 'post', slug, sameBy, title: request.title, isDraft, date, message };
}

/**
 * What an import would do, as things stand now. It makes nothing: an image is made anew or fetched, and content is
 * cleaned, only when the import runs, and each of its files looks again.
 */
export function foreseeImport(
  files: readonly SlimFile[],
  { publish, existing }: Pick<ImportRequest, 'publish' | 'existing'>,
  { slugs, images, now }: Standing,
): z.infer<typeof importPlan> {
  const known = new Set(images);
  const items = files.map((file): ForeseenFile => {
    const { path, message } = file;
    const nothing = { path, title: null, slug: null, publish: false, publish_at: null, message };
    if (file.kind === 'image') {
      const isKnown = known.has(file.hash);
      known.add(file.hash);
      return isKnown ? { ...nothing, outcome: 'skip', message: IMAGE_IS_THERE } : { ...nothing, outcome: 'create' };
    }
    if (file.kind !== 'post') return { ...nothing, outcome: file.kind === 'skipped' ? 'skip' : 'fail' };
    const { slug, title } = file;
    const standing = slugs.get(slug);
    if (standing === 'held') {
      const held = `The slug “${slug}” belongs to another post, which is or was published under it.`;
      return { ...nothing, outcome: 'fail', slug, message: held };
    }
    const left = standing && leftAlone(file, standing, existing);
    if (left) {
      return { ...nothing, outcome: left.status === 'skipped' ? 'skip' : 'fail', slug, message: left.message };
    }
    const outcome = standing ? 'update' : 'create';
    const foreseen = { path, outcome, title, slug, message } as const;
    return { ...foreseen, ...foreseePublish(file, publish, standing?.state === 'published', now) };
  });
  const count = (outcome: ForeseenFile['outcome']) => items.filter((item) => item.outcome === outcome).length;
  return {
    create: count('create'),
    update: count('update'),
    skip: count('skip'),
    fail: count('fail'),
    publish: items.filter((item) => item.publish).length,
    schedule: items.filter((item) => item.publish_at !== null).length,
    items,
  };
}

/** @param isLive whether readers have the post already: then it is not dated ahead. */
function foreseePublish(
  { isDraft, date }: Pick<ImportPost, 'isDraft' | 'date'>,
  publish: boolean,
  isLive: boolean,
  now: Date,
): Pick<ForeseenFile, 'publish' | 'publish_at'> {
  if (!publish || isDraft) return { publish: false, publish_at: null };
  const isAhead = date !== null && new Date(date) > now && !isLive;
  if (!isAhead) return { publish: true, publish_at: null };
  return { publish: false, publish_at: isTooFarAhead(new Date(date), now) ? null : date };
}
