import { escapeHtml } from '@blog-content/link-resolver';
import type { Block, Outline, Section, Source } from './writer.ts';

export interface PostParts {
  readonly notice: string | null;
  readonly outline: Outline;
  /** One for each section of the outline. */
  readonly sections: readonly Section[];
  readonly sources: readonly Source[];
}

/** The HTML of a post. Texts are escaped; the only links are those to sources. */
export function renderPost({ notice, outline, sections, sources }: PostParts): string {
  const parts = sections.map((section, index) => {
    const heading = `<h2>${escapeHtml(outline.sections[index]?.heading ?? '')}</h2>`;
    return [heading, ...section.blocks.map(renderBlock), renderSources(section, sources)].filter(Boolean).join('\n');
  });
  // No paragraph: it would begin the excerpt.
  const top = notice === null ? [] : [`<blockquote><strong>${escapeHtml(notice)}</strong></blockquote>`];
  return [...top, ...parts].join('\n');
}

function renderBlock({ kind, text, items, rows }: Block): string {
  const list = (tag: string) => `<${tag}>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</${tag}>`;
  switch (kind) {
    case 'paragraph':
      return `<p>${escapeHtml(text)}</p>`;
    case 'subheading':
      return `<h3>${escapeHtml(text)}</h3>`;
    case 'minor_subheading':
      return `<h4>${escapeHtml(text)}</h4>`;
    case 'quote':
      return `<blockquote><p>${escapeHtml(text)}</p></blockquote>`;
    case 'list':
      return list('ul');
    case 'numbered_list':
      return list('ol');
    case 'table':
      return renderTable(rows);
  }
}

function renderTable([head = [], ...body]: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${head.map((_, index) => `<${tag}>${escapeHtml(cells[index] ?? '')}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${row(head, 'th')}</thead><tbody>${body.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
}

/** The sources that a section names, at its end; by number, which needs no language. */
function renderSources(section: Section, sources: readonly Source[]): string {
  const used = usedSources(section, sources);
  if (used.length === 0) return '';
  const named = used.map(({ number, title, url }) => {
    const text = escapeHtml(title);
    return `[${number}] ${url === null ? text : `<a href="${escapeHtml(url)}">${text}</a>`}`;
  });
  return `<p><small>${named.join(' · ')}</small></p>`;
}

/** The sources that a section names. */
export function usedSources({ blocks }: Section, sources: readonly Source[]): Source[] {
  const numbers = new Set(blocks.flatMap((block) => block.sources));
  return sources.filter(({ number }) => numbers.has(number));
}

/** All that a section says, as texts. */
export function textsOf({ blocks }: Section): string[] {
  return blocks.flatMap(({ text, items, rows }) => [text, ...items, ...rows.flat()]).filter(Boolean);
}
