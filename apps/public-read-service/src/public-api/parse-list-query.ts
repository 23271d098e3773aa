import { LIST_LIMIT } from '@blog-content/payload-schemas';

/** What a list request asks for (spec §4.1). */
export interface ListQuery {
  readonly limit: number;
  readonly offset: number;
  /** Whole category name, case-sensitive; null for all blogs. */
  readonly category: string | null;
  readonly includeContent: boolean;
}

/** Either the query or one sentence that names the first wrong parameter and its bounds. */
export type ParsedListQuery =
  { readonly ok: true; readonly query: ListQuery } | { readonly ok: false; readonly detail: string };

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Reads the parameters of the list endpoint (spec §4.1, §8, decisions "Public API"). Unknown parameters are ignored; the
 * last value counts when a parameter is given twice.
 */
export function parseListQuery(parameters: URLSearchParams): ParsedListQuery {
  const last = (name: string): string | undefined => parameters.getAll(name).at(-1);

  const limit = integer(last('limit'), LIST_LIMIT.default, LIST_LIMIT.min, LIST_LIMIT.max);
  if (limit === null) return wrong(`limit must be an integer from ${LIST_LIMIT.min} to ${LIST_LIMIT.max}.`);

  const offset = integer(last('offset'), 0, 0, Number.MAX_SAFE_INTEGER);
  if (offset === null) return wrong(`offset must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}.`);

  const includeContent = flags.get(last('include_content')?.toLowerCase() ?? 'false');
  if (includeContent === undefined) return wrong('include_content must be true, false, 1 or 0.');

  const category = last('category') ?? null;
  if (category?.includes('\0')) return wrong('category must be a text without NUL characters.');

  return { ok: true, query: { limit, offset, category, includeContent } };
}

function integer(text: string | undefined, fallback: number, min: number, max: number): number | null {
  if (text === undefined) return fallback;
  if (!/^-?\d+$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}

function wrong(detail: string): ParsedListQuery {
  return { ok: false, detail };
}
