import { isDeepStrictEqual } from 'node:util';
import type { revisionDiff } from '@blog-content/payload-schemas';
import { diffArrays } from 'diff';
import type { z } from 'zod';
import type { Written } from '../blogs/draft.ts';
import { showWritten } from './show-revision.ts';

type Diff = z.infer<typeof revisionDiff>;
type Piece = Diff['content'][number];

/** More changed pieces than this, and the content counts as rewritten: comparing takes time by their square. */
const MAX_EDITS = 2_000;
/** Where a line of HTML ends for people: after a block, a break or a line. */
const PIECE_ENDS = /(?<=<\/(?:p|h[2-4]|li|ul|ol|dl|dd|dt|blockquote|figure|table|tr|pre|div)>|<(?:br|hr) ?\/?>|\n)/;

/** What lies between two states of a blog: fields by their wire names, content in pieces of whole blocks. */
export function diffWritten(before: Written, after: Written): Pick<Diff, 'fields' | 'content'> {
  const { content: contentBefore, content_markdown: _markdownBefore, ...fieldsBefore } = showWritten(before);
  const { content: contentAfter, content_markdown: _markdownAfter, ...fieldsAfter } = showWritten(after);
  const fields = Object.entries(fieldsBefore).flatMap(([field, value]) => {
    const now = fieldsAfter[field as keyof typeof fieldsAfter];
    return isDeepStrictEqual(value, now) ? [] : [{ field, before: value, after: now }];
  });
  return { fields, content: diffContent(contentBefore, contentAfter) };
}

function diffContent(before: string, after: string): Piece[] {
  const changes = diffArrays(piecesOf(before), piecesOf(after), { maxEditLength: MAX_EDITS });
  const pieces: Piece[] = changes
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

function piecesOf(html: string): string[] {
  return html.split(PIECE_ENDS);
}
