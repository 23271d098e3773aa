import type { ExportedPost } from './exported-post.ts';
import type { GhostPost } from './ghost-data.ts';
import { replaceSpans, spansOf, type FoundSpan, type Span } from './html/spans.ts';

/** A post with what is to be said of it. */
export interface ReadGhostPost {
  readonly row: GhostPost;
  readonly post: ExportedPost;
  readonly isScheduled: boolean;
  /** Hosts of frames that posts cannot show. */
  readonly lostFrames: readonly string[];
}

/** What Ghost shows to some readers only, with who they are. */
const GATED: Span = { begins: /<!--kg-gated-block:begin /g, endOf: () => /<!--kg-gated-block:end-->/g };

export const titleOf = ({ title }: GhostPost): string => title?.trim() || 'Untitled';

/** Whether Ghost has made no HTML of it. */
export const lacksHtml = ({ html }: GhostPost): boolean => (html ?? '').trim() === '';

/** Their status is that of what everybody may read. */
export const isForMembers = ({ visibility }: GhostPost): boolean => (visibility ?? 'public') !== 'public';

/** The HTML without what only some readers see. */
export const htmlForAll = ({ html }: GhostPost): string =>
  replaceSpans(html ?? '', GATED, (found) => {
    const { who, content } = gatedPart(found);
    return isForAll(who) ? content : '';
  });

/** Whether something of it is left out. */
export const hasGatedParts = ({ html }: GhostPost): boolean =>
  spansOf(html ?? '', GATED).some((found) => !isForAll(gatedPart(found).who));

/** Who may read a part, as Ghost writes it before that: `nonMember:true memberSegment:"status:free"`. */
function gatedPart({ inner }: FoundSpan): { readonly who: string; readonly content: string } {
  const end = inner.indexOf('-->');
  return end < 0 ? { who: '', content: '' } : { who: inner.slice(0, end), content: inner.slice(end + '-->'.length) };
}

const isForAll = (who: string): boolean => /\bnonMember:["']?true\b/.test(who);

/** Whether there is a part for some readers that does not begin and end as Ghost writes it today. */
export const isStillGated = (html: string): boolean => /kg-gated-block/i.test(html);

/** Without a zone it is in UTC. */
export function toTime(value: string | null | undefined): string | null {
  const given = value ?? '';
  const time = new Date(/^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(given) ? `${given.replace(' ', 'T')}Z` : given);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** What a post is there, as a clause: the import quotes it where it says why a post is a draft here. */
export function stateOf(row: GhostPost, given: { readonly isScheduled: boolean; readonly isGated: boolean }): string {
  const { status } = row;
  if (status === 'draft') return 'it is a draft in Ghost';
  if (status === 'sent') return 'it was only sent as an email in Ghost';
  if (isForMembers(row)) return 'it is for members only in Ghost';
  if (given.isGated) return 'parts of it are for members only in Ghost';
  if (lacksHtml(row)) return 'it has no HTML in the export';
  if (status === 'scheduled' && given.isScheduled) return 'it is scheduled in Ghost';
  if (status === 'scheduled') return 'it was scheduled in Ghost for a time that has passed';
  if (status !== 'published') return `its status in Ghost is “${status}”`;
  return toTime(row.published_at) === null ? 'it has no readable date in Ghost' : 'it is published in Ghost';
}
