import type { SearchEntry } from '../../src/docs/guide.ts';
import { docs as text } from '../../src/strings/sites/docs.ts';
import type { OpenApi } from './open-api.ts';
import { renderGuide } from './render-guide.ts';
import { pageOf, renderIntroduction } from './render-reference.ts';

/** Every section of the documents and every operation of the API, as the search of /docs finds them. */
export function searchEntries(
  documents: readonly { readonly name: string; readonly source: string }[],
  openApi: OpenApi,
): SearchEntry[] {
  const names: Readonly<Record<string, string>> = text.names;
  const guides = documents.flatMap(({ name, source }) => sectionsOf(name, names[name] ?? name, source));
  const introduction = sectionsOf('api', text.reference, renderIntroduction(openApi));
  const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, summary, tags, description = '' }]) =>
      tags.map((tag) => ({
        href: `/docs/${pageOf(tag)}#${operationId}`,
        page: tag,
        title: summary,
        text: `${method.toUpperCase()} ${path} ${description.replaceAll('`', '')}`,
      })),
    ),
  );
  return [...guides, ...introduction, ...operations].map((entry, id) => ({ id, ...entry }));
}

function sectionsOf(name: string, page: string, markdown: string): Omit<SearchEntry, 'id'>[] {
  const { title, html } = renderGuide(markdown);
  const [before = '', ...rest] = `<p></p>${html}`.split(/(?=<h[23] id=")/);
  const plain = (part: string) =>
    part
      .replaceAll(/<a class="anchor".*?<\/a>/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/&lt;|&#x3C;/g, '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll(/&amp;|&#x26;/g, '&')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ (?=[.,:;)])/g, '')
      .trim();
  return [
    { href: `/docs/${name}`, page, title: title || page, text: plain(before) },
    ...rest.map((part) => {
      const [, id = '', heading = ''] = /^<h[23] id="([^"]*)">([^]*?) <a class="anchor"/.exec(part) ?? [];
      return { href: `/docs/${name}#${id}`, page, title: plain(heading), text: plain(part.replace(/^.*\n/, '')) };
    }),
  ];
}
