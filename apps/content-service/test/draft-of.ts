import type { BlogCreateRequest } from '@blog-content/payload-schemas';
import { newDraft, type DatedDraft } from '../src/blogs/writing/draft.ts';
import { cleanContent } from '../src/content/content-functions.ts';

/** The draft of a request whose content is within the limits, cleaned without threads. */
export function draftOf(request: BlogCreateRequest): DatedDraft {
  const { content, content_markdown: markdown } = request;
  if (content === undefined && markdown === undefined) return newDraft(request, {});
  const cleaned =
    content === undefined
      ? cleanContent({ field: 'content_markdown', markdown: markdown ?? '' })
      : cleanContent({ field: 'content', html: content });
  if ('refused' in cleaned) throw new Error(cleaned.refused);
  return newDraft(request, { content: cleaned.html, contentMarkdown: markdown ?? null });
}
