import { tokenizeHtml } from '@blog-content/link-resolver';
import type { StructuredData } from '@blog-content/payload-schemas';
import { decodeHTML } from 'entities';
import { textOf } from '../search/text-of-html.ts';

/** An element of a content, with what it encloses. */
interface Element {
  readonly name: string;
  readonly classes: readonly string[];
  readonly start: number;
  readonly innerStart: number;
  innerEnd: number;
  end: number;
}

const VOID = new Set(['area', 'br', 'col', 'embed', 'hr', 'img', 'input', 'source', 'track', 'wbr']);
const HEADINGS = new Set(['h2', 'h3', 'h4']);
/** How Yoast and Rank Math mark up what they call FAQ and HowTo blocks: an entry, its name and its text. */
const FAQ_BLOCKS = [
  ['schema-faq-section', 'schema-faq-question', 'schema-faq-answer'],
  ['rank-math-list-item', 'rank-math-question', 'rank-math-answer'],
] as const;
const HOW_TO_BLOCKS = [
  ['schema-how-to-step', 'schema-how-to-step-name', 'schema-how-to-step-text'],
  ['rank-math-step', 'rank-math-step-title', 'rank-math-step-content'],
] as const;

interface Entry {
  readonly name: string;
  readonly text: string;
}

/**
 * schema.org's FAQPage and HowTo of what a content has: toggles whose summary is a question, an ordered list right
 * after a heading that begins with “How to”, and the blocks of Yoast and Rank Math.
 *
 * @param html cleaned, with its links resolved
 */
export function structuredDataOf(title: string, html: string): StructuredData {
  if (!/<details|<ol|schema-|rank-math-/.test(html)) return [];
  const elements = elementsOf(html);
  const questions = [...toggles(html, elements), ...FAQ_BLOCKS.flatMap((block) => entries(html, elements, block))];
  const steps = HOW_TO_BLOCKS.flatMap((block) => entries(html, elements, block));
  return [
    ...(questions.length > 0 ? [faqPage(questions)] : []),
    ...(steps.length > 0 ? [howTo(title, steps)] : []),
    ...listsOfSteps(html, elements),
  ];
}

const faqPage = (questions: readonly Entry[]): StructuredData[number] => ({
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: questions.map(({ name, text }) => ({
    '@type': 'Question',
    name,
    acceptedAnswer: { '@type': 'Answer', text },
  })),
});

const howTo = (name: string, steps: readonly Entry[]): StructuredData[number] => ({
  '@context': 'https://schema.org',
  '@type': 'HowTo',
  name,
  step: steps.map((step) => ({ '@type': 'HowToStep', ...(step.name !== '' && { name: step.name }), text: step.text })),
});

function toggles(html: string, elements: readonly Element[]): Entry[] {
  const found: Entry[] = [];
  let after = 0;
  for (const [index, details] of elements.entries()) {
    const summary = elements[index + 1];
    if (details.name !== 'details' || summary?.name !== 'summary' || details.start < after) continue;
    const name = nameIn(html, summary);
    if (!/[?？]$/.test(name)) continue;
    after = details.end;
    const text = words(html.slice(summary.end, details.innerEnd));
    if (text !== '') found.push({ name, text });
  }
  return found;
}

function entries(html: string, elements: readonly Element[], [entry, name, text]: readonly string[]): Entry[] {
  const found: Entry[] = [];
  let after = 0;
  for (const [index, element] of elements.entries()) {
    if (!element.classes.includes(entry!) || element.start < after) continue;
    after = element.end;
    const parts = new Map<string | undefined, Element>();
    for (let at = index + 1; at < elements.length && elements[at]!.start < after; at += 1) {
      for (const part of [name, text]) if (elements[at]!.classes.includes(part!)) parts.set(part, elements[at]!);
    }
    const [named, said] = [parts.get(name), parts.get(text)];
    if (named === undefined || said === undefined) continue;
    found.push({ name: nameIn(html, named), text: words(html.slice(said.innerStart, said.innerEnd)) });
  }
  return found.filter((one) => one.name !== '' && one.text !== '');
}

function listsOfSteps(html: string, elements: readonly Element[]): StructuredData {
  return elements.flatMap((heading, index) => {
    const name = HEADINGS.has(heading.name) ? nameIn(html, heading) : '';
    if (!/^how to\s/i.test(name)) return [];
    const list = elements.slice(index + 1, index + MAX_MARKUP).find(({ start }) => start >= heading.end);
    if (list?.name !== 'ol' || html.slice(heading.end, list.start).trim() !== '') return [];
    const steps: Entry[] = [];
    let after = list.innerStart;
    for (let at = elements.indexOf(list, index); at < elements.length; at += 1) {
      const item = elements[at]!;
      if (item.start >= list.innerEnd) break;
      if (item.name !== 'li' || item.start < after) continue;
      after = item.end;
      const text = words(html.slice(item.innerStart, item.innerEnd));
      if (text !== '') steps.push({ name: '', text });
    }
    return steps.length > 1 ? [howTo(name, steps)] : [];
  });
}

/** Most characters of a question or a title, with its markup: nested ones would otherwise be read again and again. */
const MAX_NAME = 1_000;
/** Most elements inside a heading. */
const MAX_MARKUP = 20;

const nameIn = (html: string, { innerStart, innerEnd }: Element): string =>
  innerEnd - innerStart > MAX_NAME ? '' : words(html.slice(innerStart, innerEnd));

const words = (html: string): string => textOf(html).replaceAll(/\s+/g, ' ').trim();

/** The elements in the order of their start tags. One that is not closed ends with its parent. */
function elementsOf(html: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  for (const token of tokenizeHtml(html)) {
    if (token.kind !== 'tag') continue;
    if (token.closing) {
      const index = open.findLastIndex(({ name }) => name === token.name);
      for (const element of index < 0 ? [] : open.splice(index)) {
        element.innerEnd = token.start;
        element.end = element.name === token.name ? token.end : token.start;
      }
      continue;
    }
    const attribute = token.attributes.find(({ name }) => name === 'class');
    const given = attribute === undefined ? '' : decodeHTML(html.slice(attribute.valueStart, attribute.valueEnd));
    const element = {
      name: token.name,
      classes: given.split(/\s+/),
      ...{ start: token.start, innerStart: token.end, innerEnd: html.length, end: html.length },
    };
    elements.push(element);
    if (VOID.has(token.name)) element.innerEnd = element.end = token.end;
    else open.push(element);
  }
  return elements;
}
