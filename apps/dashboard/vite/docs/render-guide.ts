import MarkdownIt, { type Token } from 'markdown-it';
import type { Guide } from '../../src/docs/guide.ts';
import { areAlternatives, renderSamples, type Sample } from './highlight.ts';
import { leadOf } from './lead-href.ts';

/**
 * Renders a document. Links between documents lead to their pages, those to the OpenAPI document lead to the
 * reference, and what is in the source alone is named without a link. Headings have the ids that GitHub gives them, and
 * `§2.1` leads to the one that begins with `2.1`.
 */
export function renderGuide(markdown: string): Guide {
  const parser = new MarkdownIt({ html: false, typographer: true }).disable('replacements');
  const tokens = withTabs(parser.parse(markdown, {}));
  const sections: { id: string; title: string; depth: 2 | 3 }[] = [];
  const taken = new Map<string, number>();
  const numbered = new Map<string, string>();
  let title = '';
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const inline = tokens[index + 1];
      const words = (inline?.children ?? []).map(({ content }) => content).join('');
      const id = idOf(words, taken);
      token.attrSet('id', id);
      const [number = ''] = /^\d+(?:\.\d+)*(?= )/.exec(words) ?? [];
      numbered.set(number, id);
      if (token.tag === 'h1') {
        title = words;
        for (const part of tokens.slice(index, index + 3)) part.hidden = true;
        if (inline) inline.children = [];
      } else if (token.tag === 'h2' || token.tag === 'h3') {
        sections.push({ id, title: words, depth: token.tag === 'h2' ? 2 : 3 });
      }
    }
    if (token.type === 'inline') leadLinks(token.children ?? []);
  }
  const { rules } = parser.renderer;
  // What is wider than the page is scrolled by itself, with the keyboard too.
  rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  // On phones a row is a card, in which each cell has the words of its column.
  rules['td_open'] = (all, index, options, _env, renderer) => {
    const token = all[index]!;
    const heading = headingOf(all, index);
    if (heading !== '') token.attrSet('data-heading', heading);
    return renderer.renderToken(all, index, options);
  };
  // A header cell without words is none.
  rules['th_open'] = rules['th_close'] = (all, index, options, _env, renderer) => {
    const token = all[index]!;
    if (all[token.nesting === 1 ? index + 1 : index - 1]?.content === '') token.tag = 'td';
    return renderer.renderToken(all, index, options);
  };
  rules['fence'] = rules['code_block'] = (all, index) => {
    return renderSamples(samplesOf(all[index]!));
  };
  rules['heading_close'] = (all, index, options, _env, renderer) => {
    const id = all[index - 2]?.attrGet('id');
    if (all[index]?.hidden || !id) return renderer.renderToken(all, index, options);
    return ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></${all[index]?.tag}>\n`;
  };
  const html = parser.renderer
    .render(tokens, parser.options, {})
    .replaceAll(/§(\d+(?:\.\d+)*)/g, (text, number: string) => {
      const id = numbered.get(number);
      return id === undefined ? text : `<a href="#${id}">${text}</a>`;
    });
  return { title, sections, html };
}

/** The words above a cell of a table's body. */
function headingOf(tokens: readonly Token[], cell: number): string {
  const rowStart = tokens.findLastIndex(({ type }, index) => index < cell && type === 'tr_open');
  const column = tokens.slice(rowStart, cell).filter(({ type }) => type === 'td_open').length;
  const tableStart = tokens.findLastIndex(({ type }, index) => index < cell && type === 'table_open');
  const headings = tokens.slice(tableStart, cell).flatMap(({ type }, index) => {
    const words = tokens[tableStart + index + 1]?.children ?? [];
    return type === 'th_open' ? [words.map(({ content }) => content).join('')] : [];
  });
  return headings[column] ?? '';
}

const languageOf = (info: string) => info.trim().split(/\s/)[0] ?? '';

/** A fence's code, or that of all fences that were merged into it. */
function samplesOf({ info, content, meta }: Token): readonly Sample[] {
  return (meta?.['samples'] as readonly Sample[] | undefined) ?? [{ language: languageOf(info), code: content }];
}

/** Fences that follow each other in different languages are one block with tabs. */
function withTabs(tokens: readonly Token[]): Token[] {
  const merged: Token[] = [];
  for (const token of tokens) {
    const before = merged.at(-1);
    const language = languageOf(token.info);
    if (
      token.type === 'fence' &&
      before?.type === 'fence' &&
      before.level === token.level &&
      areAlternatives(languageOf(before.info), language)
    ) {
      before.meta = { samples: [...samplesOf(before), { language, code: token.content }] };
    } else merged.push(token);
  }
  return merged;
}

function leadLinks(tokens: readonly Token[]): void {
  let linked = true;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = addressOf(String(token.attrGet('href')));
      linked = href !== null;
      if (href !== null) token.attrSet('href', href);
    }
    if (token.type === 'link_open' || token.type === 'link_close') token.hidden = !linked;
  }
}

/** Null for a file of the source that has no page. */
function addressOf(href: string): string | null {
  const lead = leadOf(href);
  switch (lead?.to) {
    case undefined:
      return lead === undefined ? href : null;
    case 'document':
      return `/docs/${lead.name}${lead.fragment}`;
    case 'openapi':
      return lead.group === undefined ? '/docs/api' : `/docs/api-${lead.group}`;
    case 'example':
      return `/docs/examples/${lead.file}`;
  }
}

function idOf(words: string, taken: Map<string, number>): string {
  const id = words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
  const count = taken.get(id) ?? 0;
  taken.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}
