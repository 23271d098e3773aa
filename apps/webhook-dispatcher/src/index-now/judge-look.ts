/** Delays between the looks at a page: eight looks in half an hour. */
export const LOOK_DELAYS_MS = [15_000, 30_000, 60_000, 120_000, 240_000, 480_000, 840_000];

/** An address whose change the site is to show. */
export interface WaitingAddress {
  readonly isGone: boolean;
  readonly isNew: boolean;
  /** Looks so far, without this one. */
  readonly looks: number;
  /** What the first look found, a page or {@link NO_PAGE}; null while none has found either. */
  readonly before: string | null;
}

/** What a first look found where there was no page. */
export const NO_PAGE = 'none';

/** What a look at a page found. `got` says it to people, as the end of a sentence about the address. */
export type LookResult = { readonly got: string } & (
  | /** `page`: something that is another when the page is. */ { readonly kind: 'page'; readonly page: string }
  /** There is no page, or it has moved. */
  | { readonly kind: 'none' }
  /** Nothing can be said: no answer, a server in trouble, or a redirect that any page may have. */
  | { readonly kind: 'unclear' }
);

export type LookVerdict =
  | { readonly kind: 'shown' }
  | { readonly kind: 'again'; readonly afterMs: number; readonly before: string | null }
  | { readonly kind: 'given_up'; readonly detail: string };

/**
 * Decides whether the site shows a change: a post that came has a page, one that went has none, and one that changed
 * has another page than at the first look, which comes before a build can end. After the last look a page that is there
 * counts as changed: it may have been built before the first look, or look the same. Pure; `delaysMs` lie between
 * looks.
 */
export function judgeLook(address: WaitingAddress, found: LookResult, delaysMs: readonly number[]): LookVerdict {
  const { isGone, isNew, looks, before } = address;
  const afterMs = delaysMs[looks];
  if (isGone && found.kind === 'none') return { kind: 'shown' };
  if (!isGone && found.kind === 'page') {
    const isOther = before !== null && before !== found.page;
    if (isNew || isOther || afterMs === undefined) return { kind: 'shown' };
  }
  if (afterMs === undefined) return { kind: 'given_up', detail: `At the last check, it ${found.got}.` };
  return { kind: 'again', afterMs, before: before ?? seenIn(found) };
}

function seenIn(found: LookResult): string | null {
  if (found.kind === 'unclear') return null;
  return found.kind === 'page' ? found.page : NO_PAGE;
}
