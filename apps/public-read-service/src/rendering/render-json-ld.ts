import type { BlogPosting, PublicAuthor } from '@blog-content/payload-schemas';
import type { BlogWithContent, LinkContext } from '../queries/published-blog.ts';
import { postUrl, type FeedChannel } from './feeds/feed-channel.ts';
import { authorsOf, renderBlog } from './render.ts';

/** A post as schema.org's BlogPosting, with the site as its publisher. */
export function renderJsonLd(blog: BlogWithContent, links: LinkContext, channel: FeedChannel): BlogPosting {
  const { title, meta_description, featured_image_url, categories, tags, published_at, updated_at, word_count } =
    renderBlog(blog, links);
  const url = postUrl(channel, blog.slug);
  return {
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    '@id': url,
    mainEntityOfPage: url,
    url,
    headline: title,
    description: meta_description,
    ...(featured_image_url !== null && { image: [featured_image_url] }),
    datePublished: published_at,
    dateModified: updated_at,
    ...(categories.length > 0 && { articleSection: categories }),
    ...(tags.length > 0 && { keywords: tags }),
    wordCount: word_count,
    ...ofAuthors(authorsOf(blog.extra, links.authors)),
    publisher: { '@type': 'Organization', name: channel.title, url: `${channel.siteUrl}/` },
  };
}

/** JSON that is safe in a `<script>` of a page: nothing in it ends the element or begins a comment. */
export function toScriptJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

function ofAuthors(authors: readonly PublicAuthor[]): Pick<BlogPosting, 'author'> {
  if (authors.length === 0) return {};
  return {
    author: authors.map(({ name, bio, avatar_url: image, url, same_as: sameAs }) => ({
      '@type': 'Person',
      name,
      ...(bio !== null && { description: bio }),
      ...(image !== null && { image }),
      ...(url !== null && { url }),
      ...(sameAs.length > 0 && { sameAs }),
    })),
  };
}
