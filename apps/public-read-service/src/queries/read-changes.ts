import { mapInSlices } from '@blog-content/concurrency';
import { linkCharacters } from '@blog-content/link-resolver';
import { RENDERING } from '../http/representation.ts';
import { CHANGE_KIND, MAX_ID } from './change-log-statements.ts';
import type { ChangesQuery } from '../request/parse-list-query.ts';
import { positionOf, type ChangeKey, type Position } from '../request/position.ts';
import {
  BLOGS_BY_ID,
  FIND_VERSIONS,
  LIST_AFTER,
  LIST_CHANGES,
  SIZES_BY_ID,
  SLUGS_BY_ID,
  WHOLE_BLOGS_BY_ID,
} from './change-statements.ts';
import { linksOf, type BlogSummary, type BlogWithContent, type LinkContext } from './published-blog.ts';
import { readRows, toBlogWithContent, toIsoTime, toSummary, type ResultRow } from './read-rows.ts';
import { type ReadStatement, WHOLE_CONTENT_BYTES } from './row-statements.ts';

/** A blog that has changed, as it is now, or the slug at which one is not any more. */
export type Change =
  | { readonly blog: BlogSummary & Partial<BlogWithContent> }
  | {
      readonly removed: {
        readonly id: string;
        readonly slug: string;
        /** The slug that it is published under now. */
        readonly movedTo?: string;
      };
    };

/** What comes next after a position. */
export interface ChangePage extends LinkContext {
  readonly kind: 'page';
  readonly version: string;
  /** In their order, at most as many as asked for; fewer where their contents are large. */
  readonly changes: readonly Change[];
  /** The position after them. */
  readonly next: Position;
  /** Whether there is more already. */
  readonly hasMore: boolean;
}

/** What has changed since the position is not all known any more. */
export interface PositionGone {
  readonly kind: 'position_gone';
}

/** A change before its blog is read, with the position after it. */
interface Step {
  readonly id: string;
  /** The slug at which the blog is not any more. Null for a blog that is shown. */
  readonly leftSlug: string | null;
  readonly next: Position;
}

interface Steps {
  readonly steps: readonly Step[];
  /** The position after all of them, and whether there is more. */
  readonly end: { readonly next: Position; readonly hasMore: boolean };
}

/** After every kind of change. */
const ALL_KINDS = 9;

/**
 * Reads what comes next after a position, in one state of the database. Null when the project is gone.
 *
 * @param read reads in a transaction of one snapshot
 */
export async function readChanges(
  read: ReadStatement,
  projectId: string,
  { since, limit, includeContent }: ChangesQuery,
): Promise<ChangePage | PositionGone | null> {
  const [known] = await read<{ version: string; oldest: string | null }>(FIND_VERSIONS, projectId);
  if (known === undefined) return null;
  const { version } = known;
  if (since !== null && !isKept(since, projectId, BigInt(known.oldest ?? version), BigInt(version))) {
    return { kind: 'position_gone' };
  }
  const isOfAll = since === null || 'upTo' in since;
  const next = isOfAll
    ? await listAll(read, since ?? positionOf(projectId, version), version, limit)
    : await listChanged(read, since, version, limit);
  const sized = includeContent ? await withinBytes(read, projectId, next) : next;
  const ids = [...shownLast(sized.steps).keys()];
  const rows = readRows(await read<ResultRow>(includeContent ? WHOLE_BLOGS_BY_ID : BLOGS_BY_ID, projectId, ids));
  if (rows === null) return null;
  const found = rows.blogs.filter((row) => row !== undefined);
  const shownBlogs = includeContent ? await mapInSlices(found, toBlogWithContent) : found.map(toSummary);
  const blogs = new Map(shownBlogs.map((blog) => [blog.id, blog]));
  const { steps, end } = withinLinks(sized, blogs, rows);
  const shown = shownLast(steps);
  const slugs = await findSlugs(read, projectId, steps);
  const changes: Change[] = [];
  for (const step of steps) {
    const { id, leftSlug } = step;
    const blog = blogs.get(id);
    const movedTo = slugs.get(id);
    if (leftSlug !== null) changes.push({ removed: { id, slug: leftSlug, ...(movedTo !== undefined && { movedTo }) } });
    // A post that is not published any more has a change of its own.
    else if (blog !== undefined && shown.get(id) === step) changes.push({ blog });
  }
  const { siteUrl, targets, translated, authors } = rows;
  return { kind: 'page', version, siteUrl, targets, translated, authors, changes, ...end };
}

/** The slugs that blogs which have left another one are published under. */
async function findSlugs(
  read: ReadStatement,
  projectId: string,
  steps: readonly Step[],
): Promise<ReadonlyMap<string, string>> {
  const ids = steps.filter(({ leftSlug }) => leftSlug !== null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await read<{ id: string; slug: string }>(SLUGS_BY_ID, projectId, ids);
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

/** Whether all that has changed since is known. */
function isKept(since: Position, projectId: string, oldest: bigint, newest: bigint): boolean {
  if (since.projectId !== projectId || since.rendering !== RENDERING) return false;
  const version = BigInt(since.version);
  // Among the changes of a version, some of it are still to come.
  return version <= newest && ('change' in since ? version - 1n : version) >= oldest;
}

/** All posts as they were at the position's version: what has changed since comes behind them. */
async function listAll(read: ReadStatement, since: Position, version: string, limit: number): Promise<Steps> {
  const after = 'upTo' in since ? since.upTo : { publishedAt: 'infinity', id: MAX_ID };
  const rows = await read<{ id: string; published_at: string }>(
    LIST_AFTER,
    since.projectId,
    after.publishedAt,
    after.id,
    limit + 1,
  );
  const whole = positionOf(since.projectId, since.version);
  const steps = rows.map(({ id, published_at }) => ({
    id,
    leftSlug: null,
    next: { ...whole, upTo: { publishedAt: toIsoTime(published_at), id } },
  }));
  return cut(steps, limit, { next: whole, hasMore: whole.version !== version });
}

interface ChangeRow {
  readonly is_entry: 't' | 'f';
  readonly version: string;
  readonly kind: string;
  readonly slug: string;
  readonly blog_id: string;
  readonly position: string;
}

async function listChanged(read: ReadStatement, since: Position, version: string, limit: number): Promise<Steps> {
  const { projectId } = since;
  const after: ChangeKey = 'change' in since ? since.change : { kind: ALL_KINDS, slug: '', blogId: MAX_ID };
  const rows = await read<ChangeRow>(
    LIST_CHANGES,
    projectId,
    since.version,
    after.kind,
    after.slug,
    after.blogId,
    limit + 1,
  );
  const inOrder = rows.toSorted((a, b) => Number(a.position) - Number(b.position));
  const toStep = (row: ChangeRow): Step => ({
    id: row.blog_id,
    leftSlug: Number(row.kind) === CHANGE_KIND.left ? row.slug : null,
    next: {
      ...positionOf(projectId, row.version),
      change: { kind: Number(row.kind), slug: row.slug, blogId: row.blog_id },
    },
  });
  const entries = inOrder.filter((row) => row.is_entry === 't');
  const steps = inOrder.filter((row) => row.is_entry === 'f').map(toStep);
  // An entry may represent no change any more: the log may go on after the last change.
  const last = entries.at(limit);
  const end =
    last === undefined
      ? { next: positionOf(projectId, version), hasMore: false }
      : { next: toStep(last).next, hasMore: true };
  return cut(steps, limit, end);
}

function cut(steps: readonly Step[], length: number, end: Steps['end']): Steps {
  const last = steps[length - 1];
  return steps.length > length && last !== undefined
    ? { steps: steps.slice(0, length), end: { next: last.next, hasMore: true } }
    : { steps, end };
}

/** As many as may be read together by the size of their contents, and at least one. */
async function withinBytes(read: ReadStatement, projectId: string, { steps, end }: Steps): Promise<Steps> {
  const ids = [...shownLast(steps).keys()];
  const rows = await read<{ id: string; bytes: string }>(SIZES_BY_ID, projectId, ids);
  return withinSizes({ steps, end }, new Map(rows.map(({ id, bytes }) => [id, Number(bytes)])));
}

/** As many as may be rendered together, and at least one: links add bytes, and looking for openers takes time. */
function withinLinks(
  steps: Steps,
  blogs: ReadonlyMap<string, BlogSummary & Partial<BlogWithContent>>,
  links: LinkContext,
): Steps {
  const sizeOf = ({ segments, slug, extra, bindings = null }: BlogSummary & Partial<BlogWithContent>) =>
    segments === undefined ? 0 : linkCharacters(segments, linksOf({ slug, extra, bindings }, links));
  return withinSizes(steps, new Map([...blogs].map(([id, blog]) => [id, sizeOf(blog)])));
}

/** @param sizes of the blogs, by id: each counts once */
function withinSizes({ steps, end }: Steps, sizes: Map<string, number>): Steps {
  let sum = 0;
  for (const [at, { id }] of steps.entries()) {
    sum += sizes.get(id) ?? 0;
    sizes.delete(id);
    if (sum > WHOLE_CONTENT_BYTES && at > 0) return cut(steps, at, end);
  }
  return { steps, end };
}

/** The blogs that are shown, by id, each with its last step: a slug that it takes was left by another before. */
function shownLast(steps: readonly Step[]): Map<string, Step> {
  return new Map(steps.filter(({ leftSlug }) => leftSlug === null).map((step) => [step.id, step]));
}
