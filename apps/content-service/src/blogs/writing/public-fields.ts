import { withoutPlaceholders } from '@blog-content/link-resolver';
import { heroOf, type BlogFields } from './draft.ts';

/** What readers and receivers get of a blog, but for its content. The excerpt is null where it is made from that. */
export function publicFieldsOf(written: Omit<BlogFields, 'content' | 'contentMarkdown'>) {
  return {
    slug: written.slug,
    featured_image_url: heroOf(written),
    title: withoutPlaceholders(written.title),
    excerpt: nullIfBlank(withoutPlaceholders(written.excerpt)),
    meta_title: nullIfBlank(withoutPlaceholders(written.metaTitle)),
    meta_description: nullIfBlank(withoutPlaceholders(written.metaDescription)),
    categories: withoutPlaceholders(written.categories),
    tags: withoutPlaceholders(written.tags),
    keyword: nullIfBlank(withoutPlaceholders(written.keyword)),
  };
}

function nullIfBlank(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}
