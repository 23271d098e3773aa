import { inTurns } from '@blog-content/concurrency';
import type { VisibilityEvent } from '@blog-content/payload-schemas';
import type { Pool } from 'pg';
import { linksOfEvent } from './links-of-event.ts';
import { givenLinks, givenPosts, keepLinks, type LinkRow, markOutdated, type PostRow } from './link-statements.ts';

/**
 * Keeps what events say of links, in the transaction that plans them; each is the newest of its blog, in a project
 * whose links are healed. What links to a blog that moved, came or went is noted, and what was published with other
 * links than lead somewhere now is marked.
 */
export async function keepLinksOf(client: Pick<Pool, 'query'>, events: readonly VisibilityEvent[]): Promise<void> {
  if (events.length === 0) return;
  await keepLinks.run(client, { ...(await linkParameters(events)), notesUnknown: true });
  await markOutdated.run(client, { blogIds: events.map((event) => event.blog_id) });
}

/** What `keepLinks` is given of events, whose texts are read in turns. */
export async function linkParameters(events: readonly VisibilityEvent[]) {
  const posts: PostRow[] = [];
  const links: LinkRow[] = [];
  for await (const event of inTurns(events)) {
    const { blog_id, project_id, blog_event_number: event_number } = event;
    const { target, links: slugs } = linksOfEvent(event);
    const { slug, title, publishedAt: published_at } = target ?? { slug: null, title: null, publishedAt: null };
    posts.push({ blog_id, project_id, event_number, slug, title, published_at });
    links.push(...slugs.map((linked) => ({ project_id, slug: linked, blog_id })));
  }
  return { ...givenPosts.parameters(posts), ...givenLinks.parameters(links) };
}
