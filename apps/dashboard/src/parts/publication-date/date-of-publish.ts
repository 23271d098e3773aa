import type { Blog } from '../../generated/types.gen.ts';
import { isOver } from '../forms/local-time.ts';
import type { DateChoice } from './keep-or-now.tsx';

type Dated = Pick<Blog, 'state' | 'published_at' | 'previous_published_at'>;

/** The date that readers saw before the unpublish, to be asked about; null when another one is set, or there is none. */
export const previousDate = (blog: Dated): string | null =>
  blog.published_at === null ? blog.previous_published_at : null;

/** When a publish now would be scheduled for; null where it publishes. */
export const dateAhead = (blog: Dated): string | null =>
  blog.state !== 'published' && blog.published_at !== null && !isOver(blog.published_at) ? blog.published_at : null;

/** What a publish says of the date: nothing, unless the previous one is kept. */
export const keptDate = (blog: Dated, choice: DateChoice): { published_at: string } | undefined => {
  const previous = previousDate(blog);
  return previous === null || choice === 'now' ? undefined : { published_at: previous };
};
