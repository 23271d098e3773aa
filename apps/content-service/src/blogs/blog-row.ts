import type { BlogModel } from '../platform/database/open-database.ts';

/** A blog as it is stored: its content names other blogs by the slugs that they had when it was saved. */
export type BlogRow = BlogModel;

/** A blog as it is shown: its content names other blogs by the slugs that they have now. */
export type Blog = BlogRow & {
  /** Slugs that it was published under, and has not now. */
  readonly aliases: readonly string[];
};

/** A blog without what makes it large. */
export type BlogItem = Omit<BlogRow, 'content' | 'contentMarkdown'>;
