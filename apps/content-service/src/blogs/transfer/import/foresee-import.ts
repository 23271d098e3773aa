import type { importPlan, importPlanFile } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import type { Author } from '../../../authors/author-store.ts';
import { matchAuthors } from '../../../authors/match-authors.ts';
import { slugOf } from '../../../content/slugify.ts';
import { hashOf } from '../../../images/library/save-image.ts';
import type { ImportAuthor, ImportPost, PlannedFile } from '../archive/plan-import.ts';
import { isTooFarAhead } from '../../publishing/schedule-change-store.ts';
import { IMAGE_IS_THERE } from './import-file.ts';
import { noteOnDataFields } from './import-data-fields.ts';
import type { ImportRequest } from './import-store.ts';
import { findSamePost, type Standing } from './same-post.ts';

type ForeseenFile = z.infer<typeof importPlanFile>;

/** What is kept of a planned file to foresee what becomes of it: not its content. */
export type SlimFile = Pick<ForeseenFile, 'path' | 'message'> &
  (
    | ({ readonly kind: 'post'; readonly title: string } & Pick<
        ImportPost,
        'slug' | 'sameBy' | 'isDraft' | 'date' | 'authors'
      >)
    | { readonly kind: 'image'; readonly hash: string }
    | { readonly kind: 'data_fields' }
    | { readonly kind: 'author'; readonly author: ImportAuthor['author'] }
    | { readonly kind: 'skipped' | 'failed' }
  );

/** What the project has already. */
export interface StandingProject {
  /** What may be the posts of the files, by their slugs. */
  readonly posts: ReadonlyMap<string, Standing>;
  /** Hashes of images that are there. */
  readonly images: ReadonlySet<string>;
  readonly authors: readonly Author[];
  readonly now: Date;
}

export async function slimFile(file: PlannedFile): Promise<SlimFile> {
  const { path } = file;
  if (file.status !== 'waiting') return { path, kind: file.status, message: file.message };
  if ('image' in file.post) {
    return { path, kind: 'image', hash: await hashOf(Buffer.from(file.post.image, 'base64')), message: null };
  }
  if ('dataFields' in file.post) return { path, kind: 'data_fields', message: noteOnDataFields(file.post.dataFields) };
  if ('author' in file.post) return { path, kind: 'author', author: file.post.author, message: null };
  const { slug, sameBy, isDraft, date, authors, notes, request } = file.post;
  const message = notes.length === 0 ? null : notes.join(' ');
  return { path, kind: 'post', slug, sameBy, title: request.title, isDraft, date, authors, message };
}

/**
 * What an import would do, at this moment. It makes nothing: an image is re-encoded or fetched, and content is
 * cleaned, only when the import runs, and each of its files looks again.
 */
export function foreseeImport(
  files: readonly SlimFile[],
  { publish, existing }: Pick<ImportRequest, 'publish' | 'existing'>,
  { posts, images, authors, now }: StandingProject,
): z.infer<typeof importPlan> {
  const known = new Set(images);
  const made = files.flatMap((file) => (file.kind === 'author' ? [file.author] : []));
  const named = [
    ...authors,
    ...made.map((one) => ({ ...one, slug: one.slug ?? slugOf(one.name) ?? '', formerSlugs: [] })),
  ];
  const items = files.map((file): ForeseenFile => {
    const { path, message } = file;
    const kind = file.kind === 'skipped' || file.kind === 'failed' ? null : file.kind;
    const nothing = { path, kind, title: null, slug: null, publish: false, publish_at: null, message };
    if (file.kind === 'image') {
      const isKnown = known.has(file.hash);
      known.add(file.hash);
      return isKnown ? { ...nothing, outcome: 'skip', message: IMAGE_IS_THERE } : { ...nothing, outcome: 'create' };
    }
    if (file.kind === 'data_fields') return { ...nothing, outcome: 'create' };
    if (file.kind === 'author') return { ...nothing, outcome: 'create', title: file.author.name };
    if (file.kind !== 'post') return { ...nothing, outcome: file.kind === 'skipped' ? 'skip' : 'fail' };
    const { slug, title } = file;
    const same = findSamePost(file, posts.get(slug) ?? { holder: null, origins: [] }, existing);
    if (same !== null && 'left' in same) {
      const { status, message: why } = same.left;
      return { ...nothing, outcome: status === 'skipped' ? 'skip' : 'fail', slug, message: why };
    }
    const { note } = matchAuthors(named, file.authors ?? []);
    const notes = [message, same?.note, note].filter((note) => note != null);
    const foreseen = {
      path,
      kind,
      outcome: same ? 'update' : 'create',
      title,
      slug: same?.edit.slug ?? slug,
      message: notes.length > 0 ? notes.join(' ') : null,
    } as const;
    return { ...foreseen, ...foreseePublish(file, publish, same?.edit.state === 'published', now) };
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
