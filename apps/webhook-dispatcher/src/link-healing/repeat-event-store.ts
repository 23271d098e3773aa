import { effectOf, lifecycleEvent } from '@blog-content/payload-schemas';
import type { Prisma } from '../generated/prisma/client.ts';
import { repeatEvents } from './link-statements.ts';

const SHOWING = lifecycleEvent.options
  .map(({ shape }) => shape.event.value)
  .filter((event) => effectOf(event) === 'shows');

/**
 * Repeats what is published of these blogs, with the links of today; gives the ids of the events that say so. None of a
 * blog that is not published, or in a project whose links are not known.
 */
export async function repeatWithLinksOfToday(
  tx: Prisma.TransactionClient,
  blogIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await repeatEvents.runIn(tx, { blogIds: [...new Set(blogIds)], showing: SHOWING });
  return new Map(rows.map(({ id, blog_id: blogId }) => [blogId, id]));
}
