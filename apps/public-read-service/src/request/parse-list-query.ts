import { canonicalLanguage, LIST_FIELDS, LIST_LIMIT, MAX_SEARCH_TEXT } from '@blog-content/payload-schemas';
import { toSearchQuery } from '../search/to-search-query.ts';
import { parsePosition, type Position } from './position.ts';

/** Bounds of a number in a query, and what it is when it is not given. */
interface IntegerBounds {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

/** How many items to skip. */
export const OFFSET = { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER } as const;

/** Longest part of a wrong value that an error repeats. */
const MAX_QUOTED = 50;
/** `since` of a reader who knows nothing yet. */
const EVERYTHING = '0';
/** A post that stops matching a filter would be neither shown nor removed. */
const NOT_WITH_SINCE = ['category', 'tag', 'author', 'q', 'language', 'offset'];

/** A post's translations change without the post. */
const NO_TRANSLATIONS_SINCE =
  '`since` can’t return `translations`. Ask for `language,translation_key`, and group posts by their key.';

const flags: ReadonlyMap<string | undefined, boolean> = new Map([
  [undefined, false],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** A field of an item of the list. */
export type ListField = (typeof LIST_FIELDS)[number];

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
  /** One of the slugs of an author. */
  readonly author?: string;
  /**
   * A `tsquery` of PostgreSQL, see {@link toSearchQuery}; null when what was typed has no word, which finds nothing.
   */
  readonly search?: string | null;
  /** A canonical language tag: only posts of exactly this language. */
  readonly language?: string;
  /** Only what search engines may show. No reader asks for it. */
  readonly isIndexed?: true;
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

export type ParameterReader = ReturnType<typeof createParameterReader>;

/** Reads parameters, of which the last counts when one is given twice. It goes on after a wrong one. */
export function createParameterReader(parameters: URLSearchParams) {
  let wrong: string | null = null;
  const refuse = (detail: string): void => {
    wrong ??= detail;
  };
  const last = (name: string) => parameters.getAll(name).at(-1);
  return {
    /** One sentence about the first wrong parameter. */
    get wrong() {
      return wrong;
    },
    refuse,
    last,

    integer(name: string, { default: fallback, min, max }: IntegerBounds): number {
      const text = last(name);
      if (text === undefined) return fallback;
      const value = /^-?\d+$/.test(text) ? Number(text) : NaN;
      if (value >= min && value <= max) return value;
      refuse(`\`${name}\` must be between ${min} and ${max} (got ${text.slice(0, MAX_QUOTED) || 'nothing'}).`);
      return fallback;
    },

    /** Reads `language`, a tag in any case. A blank one asks for nothing, as a form sends it. */
    language(): { readonly language?: string } {
      const text = last('language')?.trim() ?? '';
      if (text === '') return {};
      const language = canonicalLanguage(text);
      if (language === null) {
        refuse(`\`language\` must be a language tag such as \`de\` or \`pt-BR\` (got ${text.slice(0, MAX_QUOTED)}).`);
        return {};
      }
      return { language };
    },

    /** Reads what `fields` names of `names`: each once, in their order, however it was written. */
    fields<Name extends string>(names: readonly Name[]): { readonly fields?: readonly Name[] } {
      const text = last('fields');
      if (text === undefined) return {};
      const named = new Set(text.split(',').map((name) => name.trim()));
      const fields = names.filter((name) => named.has(name));
      if (fields.length !== named.size) refuse(`\`fields\` must be a comma-separated list of: ${names.join(', ')}.`);
      return { fields };
    },
  };
}

/**
 * Reads the parameters of the list endpoint (contract §4.1, §8, §4.6). Unknown parameters are ignored. A `q` of
 * nothing but white space, as an empty search box sends it, searches for nothing: it is as if it were not there.
 */
export function parseListQuery(parameters: URLSearchParams): ParsedListQuery {
  const read = createParameterReader(parameters);
  const limit = read.integer('limit', LIST_LIMIT);
  const offset = read.integer('offset', OFFSET);
  const isContentWanted = flags.get(read.last('include_content')?.toLowerCase());
  if (isContentWanted === undefined) read.refuse('`include_content` must be true, false, 1 or 0.');
  const [category, tag, author, typed] = ['category', 'tag', 'author', 'q'].map((name) => {
    const text = read.last(name);
    if (text?.includes('\0')) read.refuse(`\`${name}\` must not contain NUL characters.`);
    return text;
  });
  if (typed !== undefined && [...typed].length > MAX_SEARCH_TEXT) {
    read.refuse(`\`q\` must have at most ${MAX_SEARCH_TEXT} characters.`);
  }
  const language = read.language();
  const chosen = read.fields(LIST_FIELDS);
  const includeContent = chosen.fields?.includes('content') ?? isContentWanted ?? false;
  const since = readSince(parameters, read);
  if (since !== undefined && chosen.fields?.includes('translations')) read.refuse(NO_TRANSLATIONS_SINCE);
  if (read.wrong !== null) return { ok: false, detail: read.wrong };
  const query: ListQuery = {
    limit,
    offset,
    category: category ?? null,
    includeContent,
    ...(tag !== undefined && { tag }),
    ...(author !== undefined && { author }),
    ...language,
    ...(typed !== undefined && typed.trim() !== '' && { search: toSearchQuery(typed) }),
    ...chosen,
  };
  return { ok: true, query, changes: since === undefined ? null : { since, limit, includeContent, ...chosen } };
}

/** Reads `since`; undefined when it is not there. */
function readSince(parameters: URLSearchParams, read: ParameterReader): Position | null | undefined {
  const text = read.last('since');
  if (text === undefined) return undefined;
  if (NOT_WITH_SINCE.some((name) => parameters.has(name))) {
    read.refuse('`since` can only be combined with `limit`, `fields` and `include_content`.');
  }
  if (text === EVERYTHING) return null;
  const position = parsePosition(text);
  if (position === null) read.refuse('`since` must be 0 or `next_since` from an earlier response.');
  return position;
}
