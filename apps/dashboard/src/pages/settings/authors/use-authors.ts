import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { listAuthorsInfiniteOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { createAuthor, deleteAuthor, updateAuthor } from '../../../generated/sdk.gen.ts';
import { morePages } from '../../../parts/lists/more-pages.ts';
import { useProject } from '../../../parts/project.tsx';
import type { requestOf } from './author-request.ts';

/** Changes the author of an id, or adds one. */
export type SaveAuthor = (id: string | null, body: ReturnType<typeof requestOf>) => Promise<void>;

/** The project's authors, and how to change them. */
export function useAuthors() {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    ...listAuthorsInfiniteOptions({ path: { projectId }, query: { limit: 100 } }),
    ...morePages({ projectId }),
  });
  const changed = () => queries.invalidateQueries({ queryKey: [{ _id: 'listAuthors' }] });
  const save: SaveAuthor = async (authorId, body) => {
    if (authorId === null) await createAuthor({ path: { projectId }, body, throwOnError: true });
    else await updateAuthor({ path: { projectId, authorId }, body, throwOnError: true });
    await changed();
  };
  const remove = async (authorId: string) => {
    await deleteAuthor({ path: { projectId, authorId }, throwOnError: true });
    await changed();
  };
  return { list, authors: list.data?.pages.flatMap((page) => page.items) ?? [], save, remove };
}
