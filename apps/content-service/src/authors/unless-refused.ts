import { conflict, notFound, unprocessable } from '@blog-content/service-runtime';
import { MAX_AUTHORS, MAX_AUTHORS_BYTES } from './author-limits.ts';
import type { Author, AuthorRefusal } from './author-store.ts';

export const noAuthor = () => notFound('Author not found.');

/** @throws the problem that says why a change was refused. */
export function unlessRefused(result: Author | AuthorRefusal): Author {
  if (typeof result === 'object') return result;
  switch (result) {
    case 'not_found':
      throw noAuthor();
    case 'slug_taken':
      throw conflict('Another author has or had this slug. Choose a different `slug`.');
    case 'member_taken':
      throw conflict('This member is already an author of the project.');
    case 'no_member':
      throw unprocessable([{ field: 'account_id', message: 'must be a member of the project' }]);
    case 'too_many':
      throw conflict(`Limit reached: ${MAX_AUTHORS} authors per project. Delete one first.`);
    case 'too_large':
      throw conflict(
        `Limit reached: ${MAX_AUTHORS_BYTES / 1024} kB for all authors of a project. Shorten bios or remove links.`,
      );
  }
}
