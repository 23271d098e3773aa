import { extras, type BlogState } from '@blog-content/payload-schemas';
import { isDeepStrictEqual } from 'node:util';
import { linkSlugsIn } from '../../content/link-slugs.ts';
import type { BlogRow } from '../blog-row.ts';
import { makeExcerpt } from '../../content/make-excerpt.ts';
import { imageHashesIn } from '../../images/image-urls.ts';
import { markImagesUsed } from '../../images/library/image-use-store.ts';
import type { Transaction } from '../../platform/database/open-database.ts';
import { addProjectEvents } from '../../project-events/project-event-store.ts';
import {
  bindLinks,
  boundLinks,
  hasLinks,
  isLinked,
  renamesOf,
  slugForAuthors,
  withCurrentSlugs,
  type Bindings,
} from '../links/link-store.ts';
import { emitSlugsChanged, servedSlug } from '../links/slug-change-store.ts';
import type { DatedDraft, Draft } from './draft.ts';
import { differsFromPublished } from './published-difference-store.ts';
import { checkTranslation, languageTaken } from './translation-store.ts';
import { claimSlug, hasRoomForSlug, holderOf, releaseSlugs, type SlugRefusal } from '../slugs/slug-claim-store.ts';

/** A slug that an author gives. */
export interface GivenSlug {
  readonly slug: string;
  /** Whether it is taken from the blog that has it as an alias. */
  readonly releaseAlias?: boolean;
}

/** Thrown to roll a transaction back, for {@link orSlugRefused}. */
class SlugRefused extends Error {
  readonly refusal: SlugRefusal;

  constructor(refusal: SlugRefusal) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}

/** The blog's row, locked until the transaction ends: one blog's changes and events come one after the other. */
export async function lockBlog(tx: Transaction, projectId: string, blogId: string): Promise<BlogRow | null> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM blog WHERE id = ${blogId}::uuid AND project_id = ${projectId}::uuid FOR UPDATE`;
  return locked.length === 0 ? null : tx.blog.findUnique({ where: { id: blogId } });
}

/**
 * Locks the blog that an alias is to be taken from, and the one that takes it, in the order of their ids: two that take
 * aliases of each other do not wait for each other.
 *
 * @returns the holder's id; null where nothing is to be taken.
 */
export async function lockHolder(
  tx: Transaction,
  projectId: string,
  { slug, releaseAlias = false }: GivenSlug,
  blogId?: string,
): Promise<string | null> {
  if (!releaseAlias) return null;
  const holder = await holderOf(tx, projectId, slug);
  if (holder === null || holder.id === blogId) return null;
  const ids = [holder.id, ...(blogId === undefined ? [] : [blogId])];
  await tx.$executeRaw`
    SELECT id FROM blog WHERE id = ANY (${ids}::uuid[]) AND project_id = ${projectId}::uuid ORDER BY id FOR UPDATE`;
  return holder.id;
}

interface WorkingCopyChange {
  readonly changes: Partial<DatedDraft>;
  readonly slug?: GivenSlug | undefined;
  /** The blog that the slug may be taken from, locked as well. */
  readonly holder?: string | null;
  /** What links of the content belong to, where that is known. */
  readonly bindings?: Bindings;
  readonly now: Date;
}

/** Writes into the working copy of a locked blog. @throws SlugRefused, for {@link orSlugRefused}. */
export async function writeWorkingCopy(
  tx: Transaction,
  blog: BlogRow,
  { changes: { linkSlugs, ...given }, slug, holder = null, bindings, now }: WorkingCopyChange,
): Promise<BlogRow> {
  const changes = withAllExtras(blog, given);
  if (changes.extra !== undefined) await checkTranslation(tx, { ...blog, extra: changes.extra });
  const isRenamed = slug !== undefined && slug.slug !== blog.slug;
  if (isRenamed) {
    const claimed = await claim(tx, blog, slug, holder, now);
    if (!(await hasRoomForSlug(tx, blog.id, claimed))) {
      throw new SlugRefused({ refused: 'too_many_aliases', slug: claimed });
    }
    const served = await servedSlug(tx, blog);
    await releaseSlugs(tx, blog.id, [claimed, ...(served === null ? [] : [served])]);
  }
  const changed: BlogRow = { ...blog, ...changes, ...(isRenamed && { slug: slug.slug }) };
  const imageHashes = hashesOf(blog.projectId, changed);
  await markImagesUsed(tx, blog.projectId, imageHashes);
  const { content, contentMarkdown } = changed;
  const linked = () => linkSlugs ?? linkSlugsIn(content, contentMarkdown);
  const text = changes.content === undefined ? 'unlinked' : await rebind(tx, blog, changed, linked(), bindings);
  if (text === 'unlinked' && isDeepStrictEqual(changed, blog)) return blog;
  if (text === 'same' && isDeepStrictEqual(changed, { ...blog, content, contentMarkdown })) {
    // At most the same links by other names: as it is shown, nothing has changed.
    return tx.blog.update({ where: { id: blog.id }, data: { content, contentMarkdown } });
  }
  const saved = await tx.blog.update({
    where: { id: blog.id },
    data: {
      ...changes,
      slug: changed.slug,
      imageHashes,
      ...(changes.content !== undefined && { madeExcerpt: makeExcerpt(changes.content) }),
      changedSincePublish: true,
      version: { increment: 1 },
      updatedAt: now,
    },
  });
  const changedSincePublish = saved.state !== 'published' || (await differsFromPublished(tx, saved));
  const written = { ...saved, changedSincePublish };
  if (!changedSincePublish) {
    await tx.blog.update({ where: { id: blog.id }, data: { changedSincePublish }, select: { id: true } });
  }
  const { id: blog_id, state, version } = written;
  const news = { event: 'blog.changed' as const, blog_id, state: state as BlogState, version };
  await addProjectEvents(tx, [{ projectId: blog.projectId, data: news }]);
  if (isRenamed && (await isNewsToReaders(tx, written))) {
    return { ...written, eventNumber: await emitSlugsChanged(tx, written, now) };
  }
  return written;
}

/** Values that are not given stay, and so do those of a later release. */
function withAllExtras(blog: BlogRow, { extra, ...changes }: Partial<DatedDraft>): Partial<DatedDraft> {
  const before = extras.of(blog.extra);
  return extra === undefined || isDeepStrictEqual(before, { ...before, ...extra })
    ? changes
    : { ...changes, extra: { ...(blog.extra as object), ...extra } };
}

/** Binds the links of a content that is rewritten. @returns whether it shows the same text and links as before. */
async function rebind(
  tx: Transaction,
  before: BlogRow,
  after: BlogRow,
  linked: readonly string[],
  bindings: Bindings | undefined,
): Promise<'unlinked' | 'same' | 'changed'> {
  if (linked.length === 0 && !(await hasLinks(tx, before.id))) return 'unlinked';
  const shownBefore = await shown(tx, before);
  await bindLinks(tx, after, linked, bindings);
  const shownAfter = await shown(tx, after);
  const isSame =
    shownBefore.content === shownAfter.content && shownBefore.contentMarkdown === shownAfter.contentMarkdown;
  return isSame ? 'same' : 'changed';
}

const shown = async (tx: Transaction, blog: BlogRow) =>
  withCurrentSlugs(blog, renamesOf(await boundLinks(tx, blog.id), slugForAuthors));

/** Whether readers go by the slug of a blog that was renamed, though they do not see it. */
async function isNewsToReaders(tx: Transaction, { id, state, revision }: BlogRow): Promise<boolean> {
  return state !== 'published' && (revision > 0 || (await isLinked(tx, id, 'published')));
}

/** The stored images of the project that a draft shows, or may show. */
export function hashesOf(
  projectId: string,
  draft: Omit<Draft, 'title' | 'extra'> & { readonly extra: unknown },
): string[] {
  const { content, contentMarkdown, featuredImageUrl, generatedImages } = draft;
  const others = [...generatedImages, ...extras.imagesOf(draft.extra)];
  return imageHashesIn(projectId, [content, contentMarkdown, featuredImageUrl, ...others]);
}

/** @param holder the locked blog that the slug may be taken from. */
export async function claim(
  tx: Transaction,
  { projectId, id }: Pick<BlogRow, 'projectId' | 'id'>,
  { slug }: GivenSlug,
  taken: string | null,
  now: Date,
): Promise<string> {
  const { isMine, holder } = await claimSlug(tx, projectId, id, slug, taken);
  if (!isMine && holder !== null) throw new SlugRefused({ refused: 'slug_taken', slug, holder });
  if (holder !== null) {
    await emitSlugsChanged(tx, await tx.blog.findUniqueOrThrow({ where: { id: holder.id } }), now);
  }
  return slug;
}

/** Answers why a slug was refused when the change was rolled back because of that. */
export async function orSlugRefused<T>(change: Promise<T>): Promise<T | SlugRefusal> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof SlugRefused) return error.refusal;
    throw languageTaken(error) ?? error;
  }
}
