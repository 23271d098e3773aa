import { z } from 'zod';
import { doc, fields } from '../../fields.ts';
import { MAX_CONTENT } from '../../primitives.ts';

/** Most link suggestions of one answer. */
export const MAX_LINK_SUGGESTIONS = 50;
/** Most characters of a text in a query string; longer ones come as a body. */
const MAX_QUERY_TEXT = 2_000;

/** How many link suggestions to answer with. */
export const suggestionLimit = z.int().min(1).max(MAX_LINK_SUGGESTIONS).default(10);

/** A text in the query string, or a post whose working copy is the text. */
export const linkSuggestionQuery = z.object({
  text: z.string().max(MAX_QUERY_TEXT).optional().describe('HTML or plain text. Send longer texts with POST.'),
  blog_id: z.uuid().optional().describe('The post itself. Without `text`, its working copy is used.'),
});

export const linkSuggestionRequest = z.object({
  text: z.string().max(MAX_CONTENT).meta(doc('HTML or plain text.', 'Green tea likes water of 80 degrees.')),
  blog_id: z
    .uuid()
    .optional()
    .meta(doc('The post the text belongs to. It is not suggested.', '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10')),
  limit: suggestionLimit.meta(doc('Maximum number of items.', 50)),
});

/** A published post that fits a place of a text. */
export const linkSuggestion = z.object({
  blog_id: fields.blogId,
  slug: fields.slug,
  title: z.string().meta(doc('Title of the published post.', 'Green tea')),
  href: z.string().describe('Use as `href`. It keeps working after renames.'),
  anchor: z.string().meta(doc('The words to link, exactly as in the text.', 'white tea')),
  start: z.int().describe('Start of the anchor in the text, in UTF-16 code units.'),
  end: z.int().describe('End of the anchor.'),
  before: z.string().meta(doc('Text before the anchor.', 'Tea')),
  after: z.string().meta(doc('Text after the anchor.', 'Green tea')),
  because: z.enum(['keyword', 'title', 'words_of_title']).describe('Which part of the post the anchor matches.'),
  score: z.number().describe('Match quality from 0 to 1.'),
});
export type LinkSuggestion = z.infer<typeof linkSuggestion>;

/** Best first; each post once, and no two in the same place. */
export const linkSuggestions = z.object({
  items: z.array(linkSuggestion).describe('The items on this page, in list order.'),
});
