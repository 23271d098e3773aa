import type { LinkSuggestion } from '@blog-content/payload-schemas';
import type { LinkTargetStore } from './link-target-store.ts';
import type { FoundLink, SuggestLinksTask } from './suggest-links.ts';

/** Reads texts, long ones in a thread. */
export interface LinkSuggestionWork {
  /** @throws 422 and 429 problems, as all work on contents. */
  suggestLinks(projectId: string, task: SuggestLinksTask): Promise<FoundLink[]>;
  lookupWordsOf(projectId: string, html: string): Promise<string[]>;
}

export interface LinkSuggestionRequest {
  readonly projectId: string;
  readonly html: string;
  readonly limit: number;
  /** The post that the text is of. */
  readonly blogId?: string | undefined;
}

/** Most posts whose words are looked for in one text. */
const MAX_CANDIDATES = 300;

/** Which published posts of the project fit where in a text, best first. */
export async function findLinkSuggestions(
  dependencies: { readonly linkTargets: LinkTargetStore; readonly contentWork: LinkSuggestionWork },
  { projectId, html, limit, blogId }: LinkSuggestionRequest,
): Promise<LinkSuggestion[]> {
  const { linkTargets, contentWork } = dependencies;
  const words = await contentWork.lookupWordsOf(projectId, html);
  const candidates = await linkTargets.relevantTo(projectId, words, MAX_CANDIDATES, blogId);
  if (candidates.length === 0) return [];
  return (await contentWork.suggestLinks(projectId, { html, candidates, limit })).map(show);
}

function show({ blogId, slug, ...found }: FoundLink): LinkSuggestion {
  return { blog_id: blogId, slug, href: `[INTERNAL:${slug}]`, ...found };
}
