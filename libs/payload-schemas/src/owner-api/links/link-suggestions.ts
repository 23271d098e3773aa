import { z } from 'zod';
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
  text: z.string().max(MAX_CONTENT).describe('HTML or plain text.'),
  blog_id: z.uuid().optional().describe('The post the text belongs to. It is not suggested.'),
  limit: suggestionLimit,
});

/** A published post that fits a place of a text. */
export const linkSuggestion = z.object({
  blog_id: z.uuid(),
  slug: z.string(),
  title: z.string().describe('Title of the published post.'),
  href: z.string().describe('Use as `href`. It keeps working after renames.'),
  anchor: z.string().describe('The words to link, exactly as in the text.'),
  start: z.int().describe('Start of the anchor in the text, in UTF-16 code units.'),
  end: z.int().describe('End of the anchor.'),
  before: z.string().describe('Text before the anchor.'),
  after: z.string().describe('Text after the anchor.'),
  because: z.enum(['keyword', 'title', 'words_of_title']).describe('Which part of the post the anchor matches.'),
  score: z.number().describe('Match quality from 0 to 1.'),
});
export type LinkSuggestion = z.infer<typeof linkSuggestion>;

/** Best first; each post once, and no two in the same place. */
export const linkSuggestions = z.object({ items: z.array(linkSuggestion) });
