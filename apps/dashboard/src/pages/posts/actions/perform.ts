import {
  publishBlog,
  publishBlogs,
  scheduleBlog,
  unpublishBlog,
  unpublishBlogs,
  unscheduleBlog,
  updateBlog,
} from '../../../generated/sdk.gen.ts';
import type { BlogItem, Problem, PublishAnswer } from '../../../generated/types.gen.ts';
import { explainError } from '../../../parts/explain-error.ts';
import { idempotencyKey } from '../../../parts/idempotency-key.ts';
import { runEach } from './run-each.ts';
import { canRepublish, type PostAction } from './what-can-be-done.ts';

/** What is to be done, with what it takes. `key` is that of the press of the button. */
export type Order =
  | { readonly action: 'publish' | 'unpublish'; readonly key: string }
  | { readonly action: 'schedule'; readonly at: string }
  | { readonly action: 'tag'; readonly tag: string }
  | { readonly action: 'unschedule' };

type Undo = () => Promise<unknown>;
interface Done {
  readonly post: BlogItem;
  /** What was done: a post with a later publication date is scheduled rather than published. */
  readonly what: PostAction;
  /** Null where it can't be undone. */
  readonly undo: Undo | null;
}
export interface Refusal {
  readonly post: BlogItem;
  readonly why: string;
}
export interface Performed {
  readonly done: readonly Done[];
  readonly refused: readonly Refusal[];
}

export function perform(
  posts: readonly BlogItem[],
  order: Order,
  onProgress: (finished: number) => void,
): Promise<Performed> {
  switch (order.action) {
    case 'publish':
      return publish(posts, order.key);
    case 'unpublish':
      return unpublish(posts, order.key);
    case 'schedule':
      return each(posts, 'schedule', (post) => schedule(post, order.at), onProgress);
    case 'unschedule':
      return each(posts, 'unschedule', unschedule, onProgress);
    case 'tag':
      return each(posts, 'tag', (post) => tag(post, order.tag), onProgress);
  }
}

const pathOf = ({ project_id: projectId, id: blogId }: BlogItem) => ({ projectId, blogId });
const ifMatch = (version: number) => ({ 'If-Match': `"${version}"` });

async function each(
  posts: readonly BlogItem[],
  what: PostAction,
  run: (post: BlogItem) => Promise<Undo>,
  onProgress: (finished: number) => void,
): Promise<Performed> {
  const { done, failed } = await runEach(posts, run, onProgress);
  return {
    done: done.map(({ item: post, result: undo }) => ({ post, what, undo })),
    refused: failed.map(({ item: post, error }) => ({ post, why: reasonOf(error) })),
  };
}

function reasonOf(error: unknown): string {
  const { title, detail, fields, todo } = explainError(error);
  return fields[0]?.message ?? detail ?? `${title}. ${todo}`;
}

async function schedule(post: BlogItem, at: string): Promise<Undo> {
  const path = pathOf(post);
  await scheduleBlog({ path, body: { publish_at: at }, throwOnError: true });
  return () => restoreSchedule(post);
}

async function unschedule(post: BlogItem): Promise<Undo> {
  await unscheduleBlog({ path: pathOf(post), throwOnError: true });
  return () => restoreSchedule(post);
}

const restoreSchedule = (post: BlogItem): Promise<unknown> =>
  post.publish_at === null
    ? unscheduleBlog({ path: pathOf(post), throwOnError: true })
    : scheduleBlog({ path: pathOf(post), body: { publish_at: post.publish_at }, throwOnError: true });

/** By the version that was shown: the list of tags replaces the one that the post has. */
async function tag(post: BlogItem, added: string): Promise<Undo> {
  if (post.tags.includes(added)) return () => Promise.resolve();
  const path = pathOf(post);
  const { data } = await updateBlog({
    path,
    body: { tags: [...post.tags, added] },
    headers: ifMatch(post.version),
    throwOnError: true,
  });
  return () => updateBlog({ path, body: { tags: post.tags }, headers: ifMatch(data.version), throwOnError: true });
}

async function publish(posts: readonly BlogItem[], key: string): Promise<Performed> {
  const { data } = await publishBlogs({ ...bulk(posts, key), throwOnError: true });
  return readResults(posts, data.results, (post, answer) => {
    if (answer?.status === 'scheduled') return { post, what: 'schedule', undo: () => restoreSchedule(post) };
    const wasLive = post.state === 'published';
    return { post, what: 'publish', undo: wasLive ? null : () => takeDown(post) };
  });
}

async function unpublish(posts: readonly BlogItem[], key: string): Promise<Performed> {
  const { data } = await unpublishBlogs({ ...bulk(posts, key), keepalive: true, throwOnError: true });
  return readResults(posts, data.results, (post) => ({
    post,
    what: 'unpublish',
    undo: canRepublish(post) ? () => bringBack(post) : null,
  }));
}

/** Its schedule ended with the publish. */
async function takeDown(post: BlogItem): Promise<void> {
  await unpublishBlog({ path: pathOf(post), headers: { 'Idempotency-Key': idempotencyKey() }, throwOnError: true });
  if (post.publish_at !== null) await restoreSchedule(post);
}

/** With the date that readers saw. */
const bringBack = (post: BlogItem) =>
  publishBlog({
    path: pathOf(post),
    ...(post.published_at !== null && { body: { published_at: post.published_at } }),
    headers: { 'Idempotency-Key': idempotencyKey() },
    throwOnError: true,
  });

const bulk = (posts: readonly BlogItem[], key: string) => ({
  path: { projectId: posts[0]?.project_id ?? '' },
  body: { blog_ids: posts.map(({ id }) => id) },
  headers: { 'Idempotency-Key': key },
});

type Result =
  | { readonly blog_id: string; readonly ok: true; readonly publish?: PublishAnswer | object }
  | { readonly blog_id: string; readonly ok: false; readonly problem: Problem };

/** The results are in the order of the posts. */
function readResults(
  posts: readonly BlogItem[],
  results: readonly Result[],
  doneTo: (post: BlogItem, answer: PublishAnswer | undefined) => Done,
): Performed {
  const byId = new Map(posts.map((post) => [post.id, post]));
  const named = results.flatMap((result) => {
    const post = byId.get(result.blog_id);
    return post === undefined ? [] : [{ post, result }];
  });
  return {
    done: named.flatMap(({ post, result }) =>
      result.ok ? [doneTo(post, result.publish as PublishAnswer | undefined)] : [],
    ),
    refused: named.flatMap(({ post, result }) =>
      result.ok ? [] : [{ post, why: result.problem.detail ?? result.problem.title }],
    ),
  };
}

/** Undoes what was done, and answers how much could not be undone. */
export async function undoAll(done: readonly Done[]): Promise<number> {
  const undos = done.flatMap(({ undo }) => (undo === null ? [] : [undo]));
  const { failed } = await runEach(undos, (undo) => undo());
  return failed.length;
}

/** Whether Undo brings back all that was there. */
export const canUndo = (done: readonly Done[]): boolean => done.length > 0 && done.every(({ undo }) => undo !== null);
