import { findPlaceholders, withoutPlaceholders } from '@blog-content/link-resolver';
import { changesVisibility, extras, type LifecycleEvent, referencesIn, showsBlog } from '@blog-content/payload-schemas';
import { storableText } from '@blog-content/service-runtime';

/** Most links of one post that are watched: its first ones. What others lead to is as it was when it was published. */
export const MAX_WATCHED_LINKS = 1_000;

/** What an event says of a blog as a target of links, and of the blogs that it links to. */
export interface LinksOfEvent {
  /** Whether the event shows or hides the blog: only then it says what follows. */
  readonly changesVisibility: boolean;
  /** Null when the blog is not published any more. */
  readonly target: {
    readonly slug: string;
    readonly title: string;
    readonly publishedAt: Date;
    readonly language: string | null;
    readonly translationKey: string | null;
  } | null;
  /** What its placeholders name, but for the post itself: a post never links to itself (contract §2.4.3). */
  readonly links: readonly { readonly slug: string; readonly targetId: string | null }[];
}

/** What an event says of the names of a blog. */
export interface SlugsOfEvent {
  /** What placeholders bound to the blog name from now on; null when the event does not say. */
  readonly knownSlug: string | null;
  /** The blog's aliases, all of them; null when the event does not say. */
  readonly aliases: readonly string[] | null;
}

/** Reads an event for what a blog is called. */
export function slugsOfEvent(event: LifecycleEvent): SlugsOfEvent {
  if (event.event === 'blog.slugs_changed') return { knownSlug: event.slug, aliases: event.aliases };
  if (showsBlog(event)) return { knownSlug: event.revision.slug, aliases: event.aliases ?? [] };
  return { knownSlug: null, aliases: event.event === 'blog.deleted' ? [] : null };
}

/**
 * Reads an event for what links depend on: references in its data, and all placeholders of the text, in any place. One
 * that turns out to be no link costs a look, no more.
 */
export function linksOfEvent(event: LifecycleEvent): LinksOfEvent {
  if (!showsBlog(event)) return { changesVisibility: changesVisibility(event), target: null, links: [] };
  const { slug, content, title } = event.revision;
  const { language, translation_key: translationKey } = extras.of(event.revision, storableText);
  const bound = new Map(event.link_bindings?.map((binding) => [binding.slug, binding.blog_id]));
  const references = new Set(referencesIn(event.revision.data ?? {}));
  const links = new Map<string, string | null>(
    [...bound].filter(([, id]) => references.has(id) && id !== event.blog_id),
  );
  for (const { slug: named } of findPlaceholders(content)) {
    if (named === null) continue;
    const targetId = bound.get(named) ?? null;
    const isOwn = targetId === null ? named === slug : targetId === event.blog_id;
    if (!isOwn) links.set(named, targetId);
    if (links.size === MAX_WATCHED_LINKS) break;
  }
  return {
    changesVisibility: true,
    target: {
      slug,
      title: storableText(withoutPlaceholders(title)),
      publishedAt: new Date(event.published_at),
      language,
      translationKey,
    },
    links: [...links].map(([named, targetId]) => ({ slug: named, targetId })),
  };
}
