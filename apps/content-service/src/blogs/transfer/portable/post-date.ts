import type { Blog } from '../../blog-row.ts';

/** The publication date that readers see, or are to see; of a scheduled post, when that is. */
export const dateOf = (blog: Blog): Date | null =>
  (isScheduled(blog) ? blog.publishAt : null) ?? blog.publicationDate ?? blog.publicDate ?? blog.publicationBeganAt;

/** Whether a post that is no reader's yet is to be published at a time. */
export const isScheduled = ({ state, publishAt }: Blog): boolean => state !== 'published' && publishAt !== null;
