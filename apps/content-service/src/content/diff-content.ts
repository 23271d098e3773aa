import { diffArrays } from 'diff';

/** A piece of content, and what became of it. */
export interface ContentPiece {
  readonly change: 'same' | 'added' | 'removed';
  readonly html: string;
}

/** More changed pieces than this, and the content counts as rewritten: comparing takes time by their square. */
const MAX_EDITS = 2_000;
/** Where a line of HTML ends for people: after a block, a break or a line. */
const PIECE_ENDS = /(?<=<\/(?:p|h[2-4]|li|ul|ol|dl|dd|dt|blockquote|figure|table|tr|pre|div)>|<(?:br|hr) ?\/?>|\n)/;

/** What lies between two contents, in pieces of whole blocks. */
export function diffContent(before: string, after: string): ContentPiece[] {
  const changes = diffArrays(before.split(PIECE_ENDS), after.split(PIECE_ENDS), { maxEditLength: MAX_EDITS });
  const pieces: ContentPiece[] = changes
    ? changes.map(({ added, removed, value }) => ({
        change: added ? 'added' : removed ? 'removed' : 'same',
        html: value.join(''),
      }))
    : [
        { change: 'removed', html: before },
        { change: 'added', html: after },
      ];
  return pieces.filter(({ html }) => html !== '');
}
