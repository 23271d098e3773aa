import { LIST_FIELDS, LIST_LIMIT, MAX_SEARCH_TEXT } from '@blog-content/payload-schemas';
import { toSearchQuery } from '../search/to-search-query.ts';
import { readFields, type ListField } from './read-fields.ts';
import { parsePosition, type Position } from './position.ts';
import { lastValue, OFFSET, readInteger } from './read-integer.ts';

/**
 * What a list request asks for (contract §4.1). What goes beyond the specification is there only when it is asked for,
 * so that the JSON of all others stays what it is.
 */
export interface ListQuery {
  readonly limit: number;
  readonly offset: number;
  /** Whole category name, case-sensitive; null for all blogs. */
  readonly category: string | null;
  readonly includeContent: boolean;
  /** Whole tag, case-sensitive. */
  readonly tag?: string;
  /**
   * A `tsquery` of PostgreSQL, see {@link toSearchQuery}; null when what was typed has no word, which finds nothing.
   */
  readonly search?: string | null;
  /** What an item is to have, in the order of an answer; then `content` is read when it is among them. */
  readonly fields?: readonly ListField[];
}

/** What is read of the changes since a position. Null: everything. */
export interface ChangesQuery {
  readonly since: Position | null;
  readonly limit: number;
  readonly includeContent: boolean;
  readonly fields?: readonly ListField[];
}

/** Either the query or one sentence that names the first wrong parameter and its bounds. */
export type ParsedListQuery =
  | { readonly ok: true; readonly query: ListQuery; readonly changes: ChangesQuery | null }
  | { readonly ok: false; readonly detail: string };

/** `since` of a reader who knows nothing yet. */
const EVERYTHING = '0';
/** A post that stops matching a filter would be neither shown nor removed. */
const NOT_WITH_SINCE = ['category', 'tag', 'q', 'offset'];

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Reads the parameters of the list endpoint (contract §4.1, §8, "Public API"). Unknown parameters are ignored;
 * the last value counts when a parameter is given twice. A `q` of nothing but white space, as an empty search box sends
 * it, searches for nothing: it is as if it were not there.
 */
export function parseListQuery(parameters: URLSearchParams): ParsedListQuery {
  const limit = readInteger(parameters, 'limit', LIST_LIMIT);
  if (typeof limit !== 'number') return wrong(limit.detail);
  const offset = readInteger(parameters, 'offset', OFFSET);
  if (typeof offset !== 'number') return wrong(offset.detail);

  const isContentWanted = flags.get(lastValue(parameters, 'include_content')?.toLowerCase() ?? 'false');
  if (isContentWanted === undefined) return wrong('`include_content` must be true, false, 1 or 0.');

  const category = lastValue(parameters, 'category') ?? null;
  const tag = lastValue(parameters, 'tag');
  const typed = lastValue(parameters, 'q');
  for (const [name, text] of Object.entries({ category, tag, q: typed })) {
    if (text?.includes('\0')) return wrong(`\`${name}\` must not contain NUL characters.`);
  }
  if (typed !== undefined && [...typed].length > MAX_SEARCH_TEXT) {
    return wrong(`\`q\` must have at most ${MAX_SEARCH_TEXT} characters.`);
  }
  const fields = readFields(parameters, LIST_FIELDS);
  if (fields !== undefined && 'detail' in fields) return wrong(fields.detail);
  const includeContent = fields === undefined ? isContentWanted : fields.includes('content');
  const chosen = fields !== undefined && { fields };
  const since = readSince(parameters);
  if (since !== undefined && 'detail' in since) return wrong(since.detail);
  return {
    ok: true,
    query: {
      limit,
      offset,
      category,
      includeContent,
      ...(tag !== undefined && { tag }),
      ...(typed !== undefined && typed.trim() !== '' && { search: toSearchQuery(typed) }),
      ...chosen,
    },
    changes: since === undefined ? null : { since: since.position, limit, includeContent, ...chosen },
  };
}

/** Reads `since`. Undefined when it is not there. */
function readSince(
  parameters: URLSearchParams,
): { readonly position: Position | null } | { readonly detail: string } | undefined {
  const text = lastValue(parameters, 'since');
  if (text === undefined) return undefined;
  if (NOT_WITH_SINCE.some((name) => parameters.has(name))) {
    return { detail: '`since` can only be combined with `limit`, `fields` and `include_content`.' };
  }
  if (text === EVERYTHING) return { position: null };
  const position = parsePosition(text);
  return position === null ? { detail: '`since` must be 0 or `next_since` from an earlier response.' } : { position };
}

function wrong(detail: string): ParsedListQuery {
  return { ok: false, detail };
}
