import type { AuthorState } from '@blog-content/payload-schemas';

/** An author as the read model has them. Nobody reads the email address here. */
export type StoredAuthor = Omit<AuthorState, 'email'>;

export const toStoredAuthor = ({ email: _email, ...author }: AuthorState): StoredAuthor => author;

/** Authors as the column of a project has them: null for none. */
export const authorsJson = (authors: readonly StoredAuthor[] = []): string | null =>
  authors.length === 0 ? null : JSON.stringify(authors);
