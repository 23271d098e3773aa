import { escapeHtml } from '@blog-content/link-resolver';
import type { ProposalKind, Provenance } from '@blog-content/payload-schemas';
import { z } from 'zod';
import { supportOf } from '../../brand-voice/notes.ts';
import type { Blog } from '../../blogs/writing/blog-store.ts';
import { JobFailed } from '../jobs/job.ts';
import { limitMeta, limitSection } from '../writing/limit-answers.ts';
import { RULES } from '../writing/model-writer.ts';
import { plain, wordsOf } from '../writing/plain.ts';
import { placeLinks } from '../writing/place-links.ts';
import { renderPost, textsOf } from '../writing/render-post.ts';
import { meta, section, type Brief, type Section } from '../writing/writer.ts';
import { describeImages, partsOf, undescribedImages } from './content-parts.ts';
import {
  dataOf,
  instructionsOf,
  modelOf,
  nothingToPropose,
  withHints,
  withoutChoice,
  type Made,
  type ProposalContent,
  type ProposalInput,
} from './proposal-input.ts';
import type { TranslationKind } from './translate-post.ts';

/** What can be proposed without a model. */
export const WITHOUT_MODEL: ReadonlySet<ProposalKind> = new Set(['links']);

/** Translations take a step for each part of a long post. */
type KindInOneStep = Exclude<ProposalKind, TranslationKind>;

/** Most characters of a post that is rewritten as a whole. */
const MAX_REWRITTEN = 12_000;
const MAX_TITLE = 300;
const MAX_ALT = 300;
const MAX_LINKS = 8;
const MAX_CHOICES = 5;
const SMALL_TOKENS = 1_000;
const FORM_TOKENS = 800;
const MIN_WORDS = 50;

const post = z.object({
  title: z.string(),
  excerpt: z.string(),
  sections: z.array(z.object({ heading: z.string(), blocks: section.shape.blocks })),
});
const titles = z.object({ titles: z.array(z.string()) });
const alts = z.object({ alts: z.array(z.string()) });

/** Makes a proposal for a blog in one step. @throws JobFailed where there is nothing to propose; what the model throws. */
export async function propose(input: ProposalInput, kind: KindInOneStep): Promise<ProposalContent> {
  return withHints(input, await make(input, kind));
}

function make(input: ProposalInput, kind: KindInOneStep): Promise<Made> {
  switch (kind) {
    case 'links':
      return proposeLinks(input);
    case 'titles':
      return proposeTitles(input);
    case 'meta':
    case 'tags':
      return proposeMeta(input, kind);
    case 'alt_text':
      return proposeAlts(input);
    case 'rewrite_section':
      return rewriteSection(input, input.request.heading ?? '');
    case 'shorten':
      return shortenPost(input);
  }
}

async function proposeLinks({ blog, suggestLinks }: ProposalInput): Promise<Made> {
  const places = await suggestLinks(blog.content, MAX_LINKS);
  if (places.length === 0) throw nothingToPropose('No published post of the project fits this text.');
  return withoutChoice(
    { content: placeLinks(blog.content, places) },
    [],
    places.map(({ anchor, title }) => `“${anchor}” links to “${title}”.`),
  );
}

async function proposeTitles(input: ProposalInput): Promise<Made> {
  const { blog, textOf } = input;
  const text = (await textOf(blog.content)).slice(0, MAX_REWRITTEN);
  const answer = await modelOf(input).ask({
    name: 'titles',
    schema: titles,
    system: RULES,
    prompt: `Suggest ${MAX_CHOICES} titles for a post that is called ${JSON.stringify(blog.title)}, in its language.${instructionsOf(input)}\n\n${dataOf(input, [['the post', text]])}`,
    maxTokens: SMALL_TOKENS,
  });
  const choices = [...new Set(answer.titles.map((title) => plain(title, MAX_TITLE)))]
    .filter((title) => title !== '' && title !== blog.title)
    .slice(0, MAX_CHOICES);
  if (choices.length === 0) throw nothingToPropose('The model suggested no other title.');
  return { changes: {}, choices, written: choices, notes: [] };
}

async function proposeMeta(input: ProposalInput, kind: 'meta' | 'tags'): Promise<Made> {
  const { blog, labels, textOf } = input;
  const text = (await textOf(blog.content)).slice(0, MAX_REWRITTEN);
  const answer = await modelOf(input).ask({
    name: 'meta',
    schema: meta,
    system: RULES,
    prompt: `Describe the post ${JSON.stringify(blog.title)} for lists and search engines, in its language. Categories to choose from: ${JSON.stringify(labels.categories)}.
Tags to choose from: ${JSON.stringify(labels.tags)}. Choose no others.${instructionsOf(input)}\n\n${dataOf(input, [['the post', text]])}`,
    maxTokens: SMALL_TOKENS,
  });
  const brief: Brief = {
    topic: blog.title,
    keyword: blog.keyword ?? undefined,
    length: 200,
    language: 'en',
    pictures: false,
  };
  const { answer: limited, cut } = limitMeta(answer, { brief, ...labels });
  const { excerpt, meta_title: metaTitle, meta_description: metaDescription } = limited;
  const notes = cut.map((omission) => `Removed: ${omission}.`);
  if (kind === 'meta') {
    const changes = { excerpt, meta_title: metaTitle, meta_description: metaDescription };
    return withoutChoice(changes, [excerpt, metaTitle, metaDescription], notes);
  }
  const union = (own: readonly string[], more: readonly string[]) => [...new Set([...own, ...more])];
  const changes = { categories: union(blog.categories, limited.categories), tags: union(blog.tags, limited.tags) };
  if (changes.categories.length + changes.tags.length === blog.categories.length + blog.tags.length) {
    throw nothingToPropose('None of the project’s other categories and tags fits.');
  }
  return withoutChoice(changes, [], notes);
}

async function proposeAlts(input: ProposalInput): Promise<Made> {
  const { content } = input.blog;
  const images = undescribedImages(content);
  if (images.length === 0) throw nothingToPropose('Every image has alt text.');
  const around = images.map((image, index) => [`what stands around image ${index + 1}`, image.around] as const);
  const answer = await modelOf(input).ask({
    name: 'alts',
    schema: alts,
    system: RULES,
    prompt: `Write a short text for each of the ${images.length} images of a post, in their order, for people who do not see them, by what stands around them. Leave it empty where that does not tell.${instructionsOf(input)}\n\n${dataOf(input, around)}`,
    maxTokens: SMALL_TOKENS + FORM_TOKENS,
  });
  const texts = images.map((_, index) => escapeHtml(plain(answer.alts[index] ?? '', MAX_ALT)));
  if (texts.every((text) => text === ''))
    throw nothingToPropose('The surrounding text does not say what the images show.');
  return withoutChoice({ content: describeImages(content, images, texts) }, answer.alts, [
    'The alt texts are based on the surrounding text. Check each one.',
  ]);
}

async function rewriteSection(input: ProposalInput, heading: string): Promise<Made> {
  const { blog, textOf, suggestLinks } = input;
  const parts = partsOf(blog.content);
  const index = parts.findIndex((part) => part.heading.toLowerCase() === heading.trim().toLowerCase());
  const part = parts[index];
  if (part === undefined) throw nothingToPropose('The post has no section with that heading.');
  const text = (await textOf(part.html)).slice(0, MAX_REWRITTEN);
  const words = Math.max(MIN_WORDS, wordsOf(text).length);
  const answer = await modelOf(input).ask({
    name: 'section',
    schema: section,
    system: RULES,
    prompt: `Write this section of the post ${JSON.stringify(blog.title)} anew, in its language, better to read, of about ${words} words.
Its heading, which is not to be repeated: ${JSON.stringify(part.heading)}${instructionsOf(input)}\n\n${dataOf(input, [['the section', text]])}`,
    maxTokens: FORM_TOKENS + 6 * words,
  });
  const { answer: written, cut } = limitSection(answer, part.heading, 0);
  if (written.blocks.length === 0) throw nothingToPropose('The model returned no text.');
  const html = renderPost({
    notice: null,
    outline: { title: blog.title, sections: [{ heading: part.heading, points: [] }] },
    sections: [written],
    sources: [],
  });
  const linked = placeLinks(html, await suggestLinks(html, MAX_LINKS));
  const content = parts.map((other, at) => (at === index ? `${linked}\n` : other.html)).join('');
  const unsupported = await unsupportedBy(input, [written], text, [blog.title, part.heading]);
  return withoutChoice({ content }, textsOf(written), [...lost(part.html), ...unsupported, ...cut]);
}

async function shortenPost(input: ProposalInput): Promise<Made> {
  const { blog, request, textOf, suggestLinks } = input;
  const text = await textOf(blog.content);
  if (text.length > MAX_REWRITTEN) {
    throw new JobFailed(
      'too_long',
      `The post has more than ${MAX_REWRITTEN} characters of text. Rewrite its sections instead.`,
    );
  }
  const words = wordsOf(text).length;
  const wantedWords = request.length ?? Math.max(MIN_WORDS, Math.round(words / 2));
  const task = `Shorten the post ${JSON.stringify(blog.title)} to about ${wantedWords} words, in its language. Keep its title, and what matters most.`;
  const answer = await modelOf(input).ask({
    name: 'post',
    schema: post,
    system: RULES,
    prompt: `${task}${instructionsOf(input)}\n\n${dataOf(input, [['the post', text]])}`,
    maxTokens: 2 * FORM_TOKENS + 8 * Math.max(wantedWords, MIN_WORDS),
  });
  const limited = answer.sections.map(({ heading, blocks }) => limitSection({ blocks }, heading, 0));
  const sections = limited.map(({ answer: written }) => written);
  if (sections.every(({ blocks }) => blocks.length === 0)) throw nothingToPropose('The model returned no text.');
  const outline = {
    title: plain(answer.title, MAX_TITLE) || blog.title,
    sections: answer.sections.map(({ heading }) => ({ heading: plain(heading, MAX_TITLE), points: [] })),
  };
  const html = renderPost({ notice: null, outline, sections, sources: [] }).replace(/<h2><\/h2>\n?/g, '');
  const content = placeLinks(html, await suggestLinks(html, MAX_LINKS));
  const cut = limited.flatMap(({ cut: omissions }) => omissions);
  const headings = outline.sections.map(({ heading }) => heading);
  const written = [outline.title, ...headings, ...sections.flatMap(textsOf)];
  const unsupported = await unsupportedBy(input, sections, text, [blog.title]);
  return withoutChoice({ content }, written, [...lost(blog.content), ...unsupported, ...cut]);
}

/** What the old text has and the new one doesn't. */
function lost(html: string): string[] {
  const count = (tag: string) => html.match(new RegExp(`<${tag}\\b`, 'gi'))?.length ?? 0;
  const gone = [
    [count('a'), 'link', 'links'],
    [count('(?:img|iframe|video|audio)'), 'image or embed', 'images and embeds'],
    [count('pre'), 'code block', 'code blocks'],
  ] as const;
  return gone
    .filter(([found]) => found > 0)
    .map(([found, one, many]) => `The new text leaves out ${found} ${found === 1 ? one : many} of the old one.`);
}

/** What was last asked for of a post says its language; null for one that was written by hand. */
function languageOf({ provenance }: Blog): string | null {
  const generations = (provenance ?? []) as Provenance[];
  const language = generations.map(({ request }) => request['language']).findLast((asked) => asked !== undefined);
  return typeof language === 'string' ? language : null;
}

async function unsupportedBy(
  { blog, compare, notes, knowledge }: ProposalInput,
  sections: readonly Section[],
  text: string,
  headings: readonly string[],
): Promise<string[]> {
  const found = await compare({
    texts: sections.flatMap(textsOf),
    support: [text, ...supportOf(notes), ...knowledge.map((source) => source.text)],
    headings,
    language: languageOf(blog),
  });
  return found.map(({ sentence, because }) => `Not in the old text (${because.join(', ')}): “${sentence}”`);
}
