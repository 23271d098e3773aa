import { inSlices } from '@blog-content/concurrency';
import type { LifecycleEvent } from '@blog-content/payload-schemas';
import type { Pool } from 'pg';
import { linksOfEvent, slugsOfEvent } from './links-of-event.ts';
import {
  type AliasRow,
  givenAliases,
  givenLinks,
  givenPosts,
  givenSlugs,
  keepLinks,
  keepSlugs,
  type LinkRow,
  type PostRow,
  type SlugRow,
} from './keep-statements.ts';
import { markOutdated } from './link-statements.ts';

/**
 * Keeps what events say of slugs and links, in the transaction that takes them, which has locked their blogs; each is
 * the newest of its blog. In projects whose links are healed, what links to a blog that moved, came or went is noted,
 * and what was published with other links than lead somewhere now is marked.
 *
 * @param isHealed whether the links of a project are healed, as far as that is known
 */
export async function keepLinksOf(
  client: Pick<Pool, 'query'>,
  events: readonly LifecycleEvent[],
  isHealed: (projectId: string) => boolean,
): Promise<void> {
  if (events.length === 0) return;
  const healed = events.filter((event) => isHealed(event.project_id));
  if (healed.length > 0) await keepLinks.run(client, { ...(await linkParameters(healed)), notesUnknown: true });
  await keepSlugs.run(client, slugParameters(events));
  if (healed.length > 0) await markOutdated.run(client, { blogIds: healed.map((event) => event.blog_id) });
}

/** What `keepSlugs` is given of events. */
function slugParameters(events: readonly LifecycleEvent[]) {
  const slugs: SlugRow[] = [];
  const aliases: AliasRow[] = [];
  for (const event of events) {
    const { blog_id, project_id, blog_event_number: event_number } = event;
    const said = slugsOfEvent(event);
    slugs.push({ blog_id, project_id, event_number, known_slug: said.knownSlug, has_aliases: said.aliases !== null });
    aliases.push(...(said.aliases ?? []).map((slug) => ({ project_id, slug, blog_id })));
  }
  return { ...givenSlugs.parameters(slugs), ...givenAliases.parameters(aliases) };
}

/** What `keepLinks` is given of events, whose texts are read in slices. */
export async function linkParameters(events: readonly LifecycleEvent[]) {
  const posts: PostRow[] = [];
  const links: LinkRow[] = [];
  for await (const event of inSlices(events)) {
    const { blog_id, project_id, blog_event_number: event_number } = event;
    const { changesVisibility: changes_visibility, target, links: named } = linksOfEvent(event);
    posts.push({
      blog_id,
      project_id,
      event_number,
      changes_visibility,
      slug: target?.slug ?? null,
      title: target?.title ?? null,
      published_at: target?.publishedAt ?? null,
      language: target?.language ?? null,
      translation_key: target?.translationKey ?? null,
    });
    links.push(...named.map((link) => ({ project_id, slug: link.slug, blog_id, target_id: link.targetId })));
  }
  return { ...givenPosts.parameters(posts), ...givenLinks.parameters(links), ...slugParameters(events) };
}
