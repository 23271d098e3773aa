import { extras, type VisibilityEvent, showsBlog, type ShowingEvent } from '@blog-content/payload-schemas';
import { withoutTrailingSlashes } from '@blog-content/link-resolver';
import type { OpenParts } from '../integrations/integration-secrets.ts';
import { buildPayload, cut } from '../payload/build-payload.ts';
import { linkedPosts } from '../payload/link-live.ts';
import type { DestinationAction, DestinationPost, Target } from './destination.ts';

/** Longest title that systems take, in characters. */
const MAX_TITLE = 255;

/** The post that a lifecycle event shows: what receivers of webhooks get, too. */
function buildPost(event: ShowingEvent): DestinationPost {
  const body = buildPayload(event, { receiverHasBlog: false, receiverSlug: null, attempt: 1, retries: false });
  if (!('slug' in body)) throw new Error('The event shows a post, but its body has no slug.');
  const extra = extras.of(event.revision);
  const onSite = event.site_url === null ? null : `${withoutTrailingSlashes(event.site_url)}/blog/${body.slug}/`;
  return {
    title: cut(body.title, MAX_TITLE),
    slug: body.slug,
    content: body.content,
    excerpt: body.excerpt,
    metaTitle: body.meta_title,
    metaDescription: body.meta_description,
    keyword: body.keyword,
    categories: body.categories,
    tags: body.tags,
    featuredImageUrl: body.featured_image_url,
    images: body.images,
    linkTargets: linkedPosts(event),
    canonicalUrl: extra.canonical_url ?? onSite,
    extras: extra,
    // Looked up when the post is delivered.
    authors: [],
    publishedAt: body.published_at,
  };
}

/** What a lifecycle event asks of a system. */
export function actionOf(event: VisibilityEvent): DestinationAction {
  if (showsBlog(event)) return { kind: 'show', post: buildPost(event) };
  return { kind: event.event === 'blog.deleted' ? 'delete' : 'hide' };
}

/** Where an integration's system is, and how it lets us in. @throws when it has no credential. */
export function openTarget(of: Omit<Target, 'url' | 'secret'>, { url, secret }: OpenParts): Target {
  if (secret === null) throw new Error('The direct integration has no credential.');
  return { ...of, url: withoutTrailingSlashes(url), secret };
}
