import type { ImportPost } from '../archive/plan-import.ts';

/** A file by what it gives its post. */
export interface NamedFile {
  readonly slug: string;
  readonly path: string;
}

/** A post of an import, as far as it can be told from others. */
export interface ImportedPost extends NamedFile, Pick<ImportPost, 'sameBy'> {
  readonly title: string;
}

/** A blog that is there. */
export interface StandingBlog {
  readonly id: string;
  /** Of its working copy: it may have been renamed. */
  readonly slug: string;
  readonly title: string;
  readonly state: string;
  /** Composed paths (NFC) of the files that imports have made it of. */
  readonly paths: ReadonlySet<string>;
}

/** What of a project may be the post of a file. */
export interface Standing {
  /** The blog that holds the file's slug, also as an alias. */
  readonly holder: StandingBlog | null;
  /** Blogs that imports have made of the file under that slug, or a longer one; the newest import's first. */
  readonly origins: readonly StandingBlog[];
}

/** Why no blog is made of a file, and none edited. */
export interface LeftAlone {
  readonly status: 'skipped' | 'failed';
  readonly message: string;
  /** The existing blog. */
  readonly blogId: string;
}

/** The outcome for a file: it edits a blog, or is skipped. */
export type SamePost = { readonly edit: StandingBlog; readonly note: string | null } | { readonly left: LeftAlone };

/**
 * The blog that a file is the post of, if there is one: null when it becomes a new blog. A renamed blog stays the post
 * of the file that it was made of; one that has taken that file's slug since is another.
 */
export function findSamePost(
  post: ImportedPost,
  { holder, origins }: Standing,
  existing: 'skip' | 'update',
): SamePost | null {
  const { slug, sameBy = 'slug', title, path } = post;
  const [origin] = origins;
  if (holder === null) return origin === undefined ? null : renamed(post, origin, existing);
  const isOrigin = origins.some(({ id }) => id === holder.id);
  if (origin !== undefined && !isOrigin) return { left: takenOver(slug, holder, origin, existing) };
  if (holder.slug === slug) {
    const left = leftAlone(post, holder, existing);
    return left === null ? { edit: holder, note: null } : { left };
  }
  const isSame = isOrigin || holder.paths.has(path.normalize());
  if (isSame || (sameBy !== 'nothing' && sameTitle(title, holder.title))) return renamed(post, holder, existing);
  const way = 'change the file’s slug, or release the alias.';
  const message = `The slug “${slug}” is an alias of “${shortened(holder.title)}”: ${way}`;
  return { left: { status: 'failed', message, blogId: holder.id } };
}

function renamed({ slug, sameBy }: ImportedPost, blog: StandingBlog, existing: 'skip' | 'update'): SamePost {
  if (existing === 'update' && sameBy !== 'nothing')
    return { edit: blog, note: `The post was renamed here: it keeps the slug “${blog.slug}”.` };
  const message = `The post “${slug}” is here already, renamed to “${blog.slug}”.`;
  return { left: { status: 'skipped', message, blogId: blog.id } };
}

function takenOver(slug: string, holder: StandingBlog, origin: StandingBlog, existing: 'skip' | 'update'): LeftAlone {
  const [other, own] = [shortened(holder.title), shortened(origin.title)];
  const message =
    `The slug “${slug}” is another post’s now, “${other}”. The post of this file is “${own}”: ` +
    `to edit it, give the file “slug: ${origin.slug}”.`;
  return { status: existing === 'skip' ? 'skipped' : 'failed', message, blogId: holder.id };
}

/** What to do about a blog that has the slug of an imported post; null when the post may edit it. */
function leftAlone(
  { slug, sameBy = 'slug', title, path }: ImportedPost,
  there: StandingBlog,
  existing: 'skip' | 'update',
): LeftAlone | null {
  const blogId = there.id;
  const isFromFile = sameBy === 'file' && there.paths.has(path.normalize());
  const isSame = sameBy === 'slug' || isFromFile || (sameBy !== 'nothing' && sameTitle(title, there.title));
  if (isSame)
    return existing === 'update'
      ? null
      : { status: 'skipped', message: `A post already has the slug “${slug}”.`, blogId };
  const held = `A post already has the slug “${slug}”, “${shortened(there.title)}”`;
  const way = `change the file’s slug, or set “slug: ${slug}” to update that post.`;
  // A slug that nothing but the file makes is the file's own, come again.
  const status = existing === 'skip' || sameBy === 'nothing' ? 'skipped' : 'failed';
  return { status, message: `${held}, and may be a different post: ${way}`, blogId };
}

const shortened = (title: string): string => title.slice(0, 200).toWellFormed();
const sameTitle = (a: string, b: string): boolean => comparable(a) === comparable(b);
const comparable = (title: string): string => title.normalize('NFKC').trim().toLowerCase();
