import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseListQuery, type ListQuery } from './parse-list-query.ts';

const parse = (text: string) => parseListQuery(new URLSearchParams(text));
const accepted = (text: string) => {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.query;
};

describe('parameters of the list endpoint (contract §4.1, §8)', () => {
  it('has defaults for all of them', () => {
    expect(accepted('')).toEqual({ limit: 50, offset: 0, category: null, includeContent: false });
  });

  it.each([
    ['limit=1', { limit: 1 }],
    ['limit=100', { limit: 100 }],
    ['offset=0', { offset: 0 }],
    ['offset=9007199254740991', { offset: 9007199254740991 }],
    ['category=Green%20Tea', { category: 'Green Tea' }],
    ['category=a%26b', { category: 'a&b' }],
    ['include_content=true', { includeContent: true }],
    ['include_content=TRUE', { includeContent: true }],
    ['include_content=1', { includeContent: true }],
    ['include_content=False', { includeContent: false }],
    ['include_content=0', { includeContent: false }],
  ])('accepts %s', (text, expected) => {
    expect(accepted(text)).toMatchObject(expected);
  });

  it.each(['0', '-1', '101', '1.5', '1e1', 'ten', '', ' 5', '0x10', 'NaN', '99999999999999999999'])(
    'refuses limit=%s, naming it and its bounds',
    (value) => {
      expect(parse(`limit=${value}`)).toEqual({
        ok: false,
        detail: `\`limit\` must be between 1 and 100 (got ${value || 'nothing'}).`,
      });
    },
  );

  it.each(['-1', '1.0', 'x', '', '9007199254740993'])('refuses offset=%s, naming it and its bounds', (value) => {
    expect(parse(`offset=${value}`)).toEqual({
      ok: false,
      detail: `\`offset\` must be between 0 and 9007199254740991 (got ${value || 'nothing'}).`,
    });
  });

  it.each(['yes', '', '2', 'truee', 'null'])('refuses include_content=%s', (value) => {
    expect(parse(`include_content=${value}`)).toEqual({
      ok: false,
      detail: '`include_content` must be true, false, 1 or 0.',
    });
  });

  it('refuses a category that is no valid text', () => {
    expect(parse('category=a%00b')).toEqual({ ok: false, detail: '`category` must not contain NUL characters.' });
  });

  it('uses the last value when a parameter is given twice', () => {
    expect(accepted('limit=0&limit=7&offset=x&offset=2')).toMatchObject({ limit: 7, offset: 2 });
    expect(parse('limit=7&limit=0').ok).toBe(false);
  });

  it('ignores unknown parameters', () => {
    expect(accepted('page=3&limit[]=0&Limit=0&sort=title')).toEqual(accepted(''));
  });
});

describe('tag and q, beyond the specification', () => {
  it('are in the query only when they are asked for, so that nothing changes for other callers', () => {
    expect(Object.keys(accepted('limit=1&category=a'))).toEqual(['limit', 'offset', 'category', 'includeContent']);
    expect(accepted('tag=Hot%20drinks')).toMatchObject({ tag: 'Hot drinks' });
    expect(accepted('tag=')).toMatchObject({ tag: '' });
    expect(accepted('q=green+tea')).toMatchObject({ search: "('green' & 'tea':*)" });
  });

  it('are the same query when the words are the same', () => {
    expect(accepted('q=Green%20%20TEA!')).toEqual(accepted('q=green+tea'));
  });

  it('search for nothing when q is blank, and find nothing when it has no word', () => {
    for (const blank of ['q=', 'q=+', 'q=%E3%80%80%09', 'q=tea&q=']) expect(accepted(blank)).toEqual(accepted(''));
    for (const wordless of ['q=!%3F', 'q=-', 'q=%22', 'q=%F0%9F%8D%B5']) {
      expect(accepted(wordless)).toMatchObject({ search: null });
    }
  });

  it('refuse invalid and too long text, naming the parameter', () => {
    expect(parse('tag=a%00b')).toEqual({ ok: false, detail: '`tag` must not contain NUL characters.' });
    expect(parse('q=a%00b')).toEqual({ ok: false, detail: '`q` must not contain NUL characters.' });
    expect(parse(`q=${'a'.repeat(201)}`)).toEqual({ ok: false, detail: '`q` must have at most 200 characters.' });
    expect(parse(`q=${'a'.repeat(200)}`).ok).toBe(true);
  });

  it('count characters, not UTF-16 units', () => {
    expect(parse(`q=${'🍵'.repeat(200)}`).ok).toBe(true);
    expect(parse(`q=${'🍵'.repeat(201)}`)).toEqual({ ok: false, detail: '`q` must have at most 200 characters.' });
  });
});

/** The parameter of each part of a query. */
const PARAMETERS: Record<Exclude<keyof ListQuery, 'isIndexed'> | 'since', string> = {
  limit: 'limit',
  offset: 'offset',
  category: 'category',
  includeContent: 'include_content',
  tag: 'tag',
  author: 'author',
  search: 'q',
  language: 'language',
  fields: 'fields',
  since: 'since',
};

describe('the document of the API', () => {
  it('has each parameter that lists read, and no other', () => {
    const file = join(import.meta.dirname, '../../../../docs/openapi.json');
    const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
      paths: Record<string, { get: { parameters: { name?: string; in?: string }[] } }>;
    };
    const documented = paths['/blog/api/v1/public/blogs']!.get.parameters.flatMap((parameter) =>
      parameter.in === 'query' && parameter.name !== 'api_key' ? [parameter.name] : [],
    );
    expect(Object.values(PARAMETERS).sort()).toEqual(documented.sort());
  });
});
