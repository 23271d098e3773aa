import { encodePieces, type ContentCoding } from '../http/content-coding.ts';
import type { PublicReadStore } from '../queries/public-read-store.ts';
import { renderInChunks } from '../rendering/render-in-chunks.ts';
import type { ListQuery } from '../request/parse-list-query.ts';
import type { PageQuery } from '../request/parse-public-query.ts';

/** A page to be read, rendered and encoded a post at a time. */
export interface LargePageTask {
  readonly projectId: string;
  readonly query: PageQuery;
  /** What is read for it. */
  readonly listQuery: ListQuery;
  readonly coding: ContentCoding;
}

/** The version of the project that the page is of; null when the project is gone. */
export type LargePageResult = { readonly version: string } | null;

/** Bytes of each piece but the last. */
const PIECE_BYTES = 262_144;

/** @param send gets the page's bytes, in pieces. */
export function makeLargePage(
  store: Pick<PublicReadStore, 'listInChunks'>,
  { projectId, query, listQuery, coding }: LargePageTask,
  send: (piece: Uint8Array<ArrayBuffer>) => void,
): Promise<LargePageResult> {
  return store.listInChunks(projectId, listQuery, async (frame, blogs) => {
    let piece = new Uint8Array(PIECE_BYTES);
    let filled = 0;
    await encodePieces(renderInChunks(query, frame, blogs), coding, (bytes) => {
      for (let start = 0; start < bytes.length;) {
        const part = bytes.subarray(start, start + PIECE_BYTES - filled);
        piece.set(part, filled);
        start += part.length;
        filled += part.length;
        if (filled < PIECE_BYTES) continue;
        send(piece);
        piece = new Uint8Array(PIECE_BYTES);
        filled = 0;
      }
    });
    if (filled > 0) send(piece.slice(0, filled));
    return { version: frame.version };
  });
}
