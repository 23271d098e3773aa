import type { SearchEntry } from '../../src/docs/guide.ts';
import type { OpenApi } from './open-api.ts';
import { renderGuide } from './render-guide.ts';
import { pageOf } from './render-reference.ts';

/** Characters of a section to index: its beginning says what it is about. */
const MAX_TEXT = 600;

/** Every section of the guides and every operation of the API, as the search of /docs finds them. */
export function searchEntries(
  documents: readonly { readonly name: string; readonly source: string; readonly hasPage: boolean }[],
  openApi: OpenApi,
): SearchEntry[] {
  const guides = documents.flatMap(({ name, source, hasPage }) => (hasPage ? sectionsOf(name, source) : []));
  const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, summary, tags, description = '' }]) =>
      tags.map((tag) => ({
        href: `/docs/${pageOf(tag)}#${operationId}`,
        page: tag,
        title: summary,
        text: `${method.toUpperCase()} ${path} ${description}`.slice(0, MAX_TEXT),
      })),
    ),
  );
  return [...guides, ...operations].map((entry, id) => ({ id, ...entry }));
}

function sectionsOf(name: string, markdown: string): Omit<SearchEntry, 'id'>[] {
  const { title, html } = renderGuide(markdown);
  const [before = '', ...rest] = html.split(/(?=<h[23] id=")/);
  const plain = (part: string) =>
    part
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_TEXT);
  return [
    { href: `/docs/${name}`, page: title, title, text: plain(before) },
    ...rest.map((part) => {
      const [, id = '', heading = ''] = /^<h[23] id="([^"]*)">([^]*?) <a class="anchor"/.exec(part) ?? [];
      return {
        href: `/docs/${name}#${id}`,
        page: title,
        title: plain(heading),
        text: plain(part.replace(/^.*\n/, '')),
      };
    }),
  ];
}
