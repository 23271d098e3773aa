import { z } from 'zod';
import { extras } from './extras/extra-fields.ts';
import { libraryImages } from './extras/post-images.ts';
import { defineTopic } from './topic.ts';
import { httpUrl, slug, timestamp, trigger } from './primitives.ts';

/** Most aliases of a blog. */
export const MAX_ALIASES = 200;

/** What one publish made public. `content` still holds its link placeholders (contract §2.4.3). */
export const publishedRevision = z.object({
  number: z.int().min(1).describe('Increases with every publish of the post.'),
  title: z.string(),
  slug,
  content: z
    .string()
    .describe('HTML with [INTERNAL:<slug>] placeholders. The inline duplicate of the hero image is removed.'),
  excerpt: z.string(),
  meta_title: z.string().nullable(),
  meta_description: z.string().nullable(),
  featured_image_url: httpUrl.nullable(),
  categories: z.array(z.string()),
  tags: z.array(z.string()),
  keyword: z.string().nullable(),
  // Earlier events lack them.
  ...z.object(extras.shape).partial().shape,
  library_images: libraryImages
    .optional()
    .describe('Those of the hero and the sharing images that the project’s library has.'),
});
export type PublishedRevision = z.infer<typeof publishedRevision>;

const ofBlog = {
  blog_id: z.uuid(),
  project_id: z.uuid(),
  blog_event_number: z
    .int()
    .min(1)
    .describe('Increases by one with every lifecycle event of the post. The higher number is newer.'),
  trigger,
};

/** Of events that may come from a repair, too. */
const ofRepair = {
  readers_only: z.literal(true).optional().describe('Set by a repair of what readers see: receivers are not told.'),
};

/** A blog was published, published again or synced: the whole published revision. */
export const blogPublishedEvent = z.object({
  event: z.literal('blog.published'),
  ...ofBlog,
  ...ofRepair,
  publish_id: z.uuid(),
  published_at: timestamp.describe('When this publish was finalized. Also sent in the webhook body.'),
  publication_began_at: timestamp.describe(
    'The publication date: as set by the author, otherwise the start of the current publication. The public API returns it as published_at.',
  ),
  site_url: httpUrl.nullable(),
  revision: publishedRevision,
  published_link_targets: z
    .array(
      z.object({
        slug: slug.describe('The slug in the placeholder; of a reference, the one at the time of this publish.'),
        title: z.string(),
        current_slug: slug.optional().describe('The current slug of the target, if different.'),
        blog_id: z.uuid().optional().describe('Set for posts that `data` refers to.'),
        translation: z
          .object({ slug, title: z.string(), blog_id: z.uuid() })
          .optional()
          .describe(
            'The published translation of the target in this post’s language, if the target is in another one: where ' +
              'placeholders lead instead. Not set between translations of each other.',
          ),
      }),
    )
    .describe(
      'The targets of placeholders and of references in `data` that were published at the time of this publish.',
    ),
  link_bindings: z
    .array(z.object({ slug, blog_id: z.uuid() }))
    .optional()
    .describe(
      'The post that each placeholder or reference is bound to. Placeholders without a binding resolve by slug.',
    ),
  aliases: z
    .array(slug)
    .max(MAX_ALIASES)
    .optional()
    .describe('All earlier slugs of the post, except released ones. Always the full list.'),
});
export type BlogPublishedEvent = z.infer<typeof blogPublishedEvent>;

/** A published blog was unpublished. */
export const blogUnpublishedEvent = z.object({
  event: z.literal('blog.unpublished'),
  ...ofBlog,
  ...ofRepair,
  title: z.string(),
  unpublished_at: timestamp,
});

/** A published blog was deleted (contract §6: nothing is sent for one that was not published). */
export const blogDeletedEvent = z.object({
  event: z.literal('blog.deleted'),
  ...ofBlog,
  ...ofRepair,
  title: z.string(),
  deleted_at: timestamp,
});

/**
 * A blog's slugs changed without a publish: an alias was released, or a blog that is not published was renamed while
 * links lead to it. It has a key of its own, so compaction keeps it beside the blog's revision.
 */
export const blogSlugsChangedEvent = z.object({
  event: z.literal('blog.slugs_changed'),
  ...ofBlog,
  slug: slug.describe('The current slug for placeholders bound to the post.'),
  aliases: z.array(slug).max(MAX_ALIASES).describe('As in `blog.published`.'),
});
export type BlogSlugsChangedEvent = z.infer<typeof blogSlugsChangedEvent>;

export const lifecycleEvent = z.discriminatedUnion('event', [
  blogPublishedEvent,
  blogUnpublishedEvent,
  blogDeletedEvent,
  blogSlugsChangedEvent,
]);
export type LifecycleEvent = z.infer<typeof lifecycleEvent>;

/**
 * What an event does to readers and receivers. `nothing` leaves the blog as it is to them: it is neither shown again
 * nor hidden.
 */
export type LifecycleEffect = 'shows' | 'hides' | 'nothing';

/** One line for each event: a new one does not compile before it has its own. */
const EFFECTS = {
  'blog.published': 'shows',
  'blog.unpublished': 'hides',
  'blog.deleted': 'hides',
  'blog.slugs_changed': 'nothing',
} as const satisfies Record<LifecycleEvent['event'], LifecycleEffect>;

/**
 * Decides what an event does, for every consumer alike. Whether a blog is published follows from the last of its events
 * that does something.
 */
export function effectOf(event: LifecycleEvent['event']): LifecycleEffect {
  return EFFECTS[event];
}

type EventWith<Effect extends LifecycleEffect> = {
  [Name in keyof typeof EFFECTS]: (typeof EFFECTS)[Name] extends Effect ? Name : never;
}[keyof typeof EFFECTS];

/** The events that do this. */
export function eventsThat<Effect extends LifecycleEffect>(effect: Effect): EventWith<Effect>[] {
  const does = (event: LifecycleEvent['event']): event is EventWith<Effect> => effectOf(event) === effect;
  return lifecycleEvent.options.map(({ shape }) => shape.event.value).filter(does);
}

/** An event that makes a revision public. */
export type ShowingEvent = Extract<LifecycleEvent, { event: EventWith<'shows'> }>;

/** An event that shows or hides a blog: all that receivers, deploy hooks and search engines go by. */
export type VisibilityEvent = Extract<LifecycleEvent, { event: EventWith<'shows' | 'hides'> }>;

/** Whether the event shows or hides its blog. */
export function changesVisibility(event: LifecycleEvent): event is VisibilityEvent {
  return effectOf(event.event) !== 'nothing';
}

/** Whether the event shows the blog, and so has its revision. */
export function showsBlog(event: LifecycleEvent): event is ShowingEvent {
  return effectOf(event.event) === 'shows';
}

/** Every change of every blog that readers can see. Public contract: any consumer may subscribe. */
export const lifecycleTopic = defineTopic({
  name: 'blog.lifecycle',
  description: 'Every publish, unpublish, delete and slug change, in order per project.',
  schema: lifecycleEvent,
  key: (event) => (event.event === 'blog.slugs_changed' ? `${event.blog_id}/slugs` : event.blog_id),
  partitionKey: (event) => event.project_id,
  waitsFor: (event) => event.blog_id,
  partitions: 6,
  retention: { compacted: true, fullHistoryMs: 7 * 24 * 3_600_000, newestBy: 'blog_event_number' },
});
