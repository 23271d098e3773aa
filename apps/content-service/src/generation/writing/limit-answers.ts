import { MAX_SHORT_TEXT } from '@blog-content/payload-schemas';
import { cutAtWord } from '../../content/make-excerpt.ts';
import { plain } from './plain.ts';
import { WRITING_LIMITS, type Block, type Brief, type Meta, type Outline, type Section } from './writer.ts';

// A writer's answers are a stranger's input: they are brought within the limits, and what is cut is said.

/** Longest titles and summaries for search engines, in characters. */
const MAX_META_TITLE = 70;
const MAX_META_DESCRIPTION = 160;
const MAX_EXCERPT_WRITTEN = 300;

export interface LimitedAnswer<Answer> {
  readonly answer: Answer;
  /** What was left out, for people. */
  readonly cut: readonly string[];
}

/** Headings that the owner gave stay as they are. */
export function limitOutline({ title, sections }: Outline, brief: Brief): LimitedAnswer<Outline> {
  const cut: string[] = [];
  const named = sections
    .map(({ heading, points }) => ({
      heading: plain(heading, MAX_SHORT_TEXT),
      points: points.slice(0, WRITING_LIMITS.points).map((point) => plain(point, WRITING_LIMITS.textLength)),
    }))
    .filter(({ heading }) => heading !== '');
  const kept = brief.outline
    ? brief.outline.map((given, index) => ({
        heading: plain(given, MAX_SHORT_TEXT) || given.slice(0, MAX_SHORT_TEXT),
        points: (named.find(({ heading }) => heading === given) ?? named[index])?.points ?? [],
      }))
    : named.slice(0, WRITING_LIMITS.sections);
  if (!brief.outline && named.length > kept.length) cut.push(`${named.length - kept.length} sections of the outline`);
  const topic = plain(brief.topic, MAX_SHORT_TEXT) || 'Draft';
  return {
    answer: {
      title: plain(title, MAX_SHORT_TEXT) || topic,
      sections: kept.length > 0 ? kept : [{ heading: topic, points: [] }],
    },
    cut,
  };
}

/** @param sources how many there are. */
export function limitSection({ blocks }: Section, heading: string, sources: number): LimitedAnswer<Section> {
  const cut: string[] = [];
  const limited = blocks.slice(0, WRITING_LIMITS.blocks).flatMap((block) => {
    const { listItems, tableRows, tableCells, textLength } = WRITING_LIMITS;
    const text = (given: string) => plain(given, textLength);
    const made: Block = {
      kind: block.kind,
      text: text(block.text),
      items: block.items.slice(0, listItems).map(text).filter(Boolean),
      rows: block.rows.slice(0, tableRows).map((row) => row.slice(0, tableCells).map(text)),
      sources: [...new Set(block.sources)].filter((number) => number >= 1 && number <= sources),
    };
    if (block.text.length > textLength) cut.push(`the end of a long paragraph of “${heading}”`);
    if (block.items.length > listItems) cut.push(`items of a list of “${heading}”`);
    if (block.rows.length > tableRows) cut.push(`rows of a table of “${heading}”`);
    if (block.rows.some((row) => row.length > tableCells)) cut.push(`cells of a table of “${heading}”`);
    return isEmpty(made) ? [] : [made];
  });
  if (blocks.length > WRITING_LIMITS.blocks) cut.push(`the end of “${heading}”`);
  return { answer: { blocks: limited }, cut };
}

function isEmpty({ kind, text, items, rows }: Block): boolean {
  if (kind === 'list' || kind === 'numbered_list') return items.length === 0;
  if (kind === 'table') return rows.length < 2 || rows[0]?.length === 0;
  return text === '';
}

/** Labels are the project's own only. What the writer left empty stays so: readers get the title and the excerpt. */
export function limitMeta(
  given: Meta,
  { brief, categories, tags }: MetaRules,
): LimitedAnswer<Meta & { readonly keyword: string }> {
  const cut: string[] = [];
  const own = (labels: readonly string[], known: readonly string[], what: string) => {
    const byName = new Map(known.map((label) => [label.toLowerCase(), label]));
    const found = labels.map((label) => byName.get(label.trim().toLowerCase()));
    const strange = found.filter((label) => label === undefined).length;
    if (strange > 0) cut.push(`${strange} ${what} that the project does not have`);
    return [...new Set(found.filter((label) => label !== undefined))].slice(0, WRITING_LIMITS.labels);
  };
  const shortened = (text: string, length: number, what: string) => {
    const whole = plain(text, WRITING_LIMITS.textLength);
    const short = cutAtWord(whole, length);
    if (short !== whole) cut.push(`the end of the ${what}, which was too long`);
    return short;
  };
  const answer = {
    excerpt: shortened(given.excerpt, MAX_EXCERPT_WRITTEN, 'excerpt'),
    meta_title: shortened(given.meta_title, MAX_META_TITLE, 'meta title'),
    meta_description: shortened(given.meta_description, MAX_META_DESCRIPTION, 'meta description'),
    keyword: plain(brief.keyword ?? given.keyword, MAX_SHORT_TEXT),
    categories: own(given.categories, categories, 'categories'),
    tags: own(given.tags, tags, 'tags'),
  };
  return { answer, cut };
}

export interface MetaRules {
  readonly brief: Brief;
  /** Labels of the project. */
  readonly categories: readonly string[];
  readonly tags: readonly string[];
}
