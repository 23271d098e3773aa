import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { deleteBlog } from '../../generated/sdk.gen.ts';
import type { Blog } from '../../generated/types.gen.ts';
import { posts as strings } from '../../strings/posts.ts';
import { explainError } from '../explain-error.ts';
import { notify } from '../notify.ts';
import { readPostsAgain } from './read-posts-again.ts';

const text = strings.bulk;

type Deleted = Pick<Blog, 'id' | 'project_id' | 'version' | 'title'>;

let leaving: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function setLeaving(next: ReadonlySet<string>): void {
  leaving = next;
  listeners.forEach((listener) => listener());
}

/** The posts that are about to be deleted, by id. */
export const useLeavingPosts = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => leaving,
  );

/** The posts by name: one by its title, several by their number. */
export const nameOf = (posts: readonly Pick<Deleted, 'title'>[]): string =>
  posts.length === 1 && posts[0] ? text.one(posts[0].title) : text.many(posts.length);

/** A deleted post can't be brought back, so Undo comes first. What is changed until then isn't deleted. */
export function deleteSoon(posts: readonly Deleted[], queries: QueryClient): void {
  const ids = new Set(posts.map(({ id }) => id));
  const stay = () => setLeaving(new Set([...leaving].filter((id) => !ids.has(id))));
  setLeaving(new Set([...leaving, ...ids]));
  notify.soon(text.deleting(nameOf(posts)), () => void deleteAll(posts, queries).finally(stay), stay);
}

/** All together: a page that closes sends no second round. */
async function deleteAll(posts: readonly Deleted[], queries: QueryClient): Promise<void> {
  const outcomes = await Promise.allSettled(
    posts.map(({ project_id: projectId, id: blogId, version }) =>
      deleteBlog({
        path: { projectId, blogId },
        headers: { 'If-Match': `"${version}"` },
        keepalive: true,
        throwOnError: true,
      }),
    ),
  );
  await readPostsAgain(queries);
  const deleted = posts.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  if (deleted.length > 0) notify.done(text.done.delete(nameOf(deleted)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed === undefined) return;
  const { title, detail, todo } = explainError(failed.reason);
  const kept = posts.filter((_, index) => outcomes[index]?.status === 'rejected');
  notify.refused(`${text.notDeleted(nameOf(kept))} ${detail ?? `${title}. ${todo}`}`);
}
