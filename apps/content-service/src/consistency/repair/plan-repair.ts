import { compareBlog, isGone, type BlogSides, type ProjectSides } from '../compare.ts';

/** What makes every side follow content-service. Each has an event number above what any side has seen. */
export type BlogRepair =
  | { readonly kind: 'show'; readonly number: number; readonly readersOnly: boolean }
  | { readonly kind: 'hide'; readonly number: number; readonly readersOnly: boolean; readonly title: string }
  /** Tells readers of the post's slugs again. */
  | { readonly kind: 'slugs'; readonly number: number }
  /** No event: content-service continues from the number. */
  | { readonly kind: 'number'; readonly number: number };

/**
 * Decides how a post is repaired; null where nothing is to be done. Receivers get a revision again only if they may
 * have another one, or none. They are told of the end of a post only with `tellsReceivers`.
 */
export function planBlogRepair(sides: BlogSides, tellsReceivers: boolean): BlogRepair | null {
  const { content, read, dispatcher, log } = sides;
  // The parked event comes first: what is appended now would wait behind it.
  if (read.isParked || dispatcher.isParked) return null;
  const differences = compareBlog(sides);
  const highest = Math.max(
    content?.eventNumber ?? 0,
    read.eventNumber,
    dispatcher.newest?.number ?? 0,
    log.aheadNumber,
  );
  const number = highest + 1;
  if (content?.publication) {
    if (differences.length === 0) return null;
    const readersOnly = differences.every(({ where, kind }) => where !== 'deliveries' && kind !== 'ahead');
    return { kind: 'show', number, readersOnly };
  }
  const { newest, holders } = dispatcher;
  const isUntold = holders.length > 0 || newest?.readersOnly === true;
  if (read.shown !== null || newest?.shows === true || log.shows || (tellsReceivers && isUntold)) {
    const title = content?.title || read.shown?.title || newest?.title || log.title || '';
    return { kind: 'hide', number, readersOnly: !tellsReceivers, title };
  }
  if (isGone(content)) return null;
  if (differences.some(({ kind }) => kind === 'ahead')) return { kind: 'number', number: highest };
  return differences.some(({ kind }) => kind === 'behind') ? { kind: 'slugs', number } : null;
}

export interface ProjectRepair {
  readonly kind: 'save' | 'delete';
  readonly number: number;
}

/** Decides how a project that differs is repaired. */
export function planProjectRepair({ content, read, dispatcher, log }: ProjectSides): ProjectRepair {
  const numbers = [content, read, dispatcher].map((state) => state?.eventNumber ?? 0);
  const number = Math.max(...numbers, log.aheadNumber) + 1;
  return { kind: content === null || content.isDeleted ? 'delete' : 'save', number };
}
