import { extras, type ProposalKind } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { Blog } from '../../blogs/writing/blog-store.ts';
import { JobFailed } from '../jobs/job.ts';
import { RULES } from '../writing/model-writer.ts';
import { plain } from '../writing/plain.ts';
import { cutContent, longestTranslation, withoutMarkers } from './cut-content.ts';
import {
  dataOf,
  instructionsOf,
  modelOf,
  nothingToPropose,
  withHints,
  withoutChoice,
  type ProposalContent,
  type ProposalInput,
} from './proposal-input.ts';
import type { ProposedChanges } from './proposal-store.ts';

const KINDS = ['translate', 'update_translation'] as const satisfies readonly ProposalKind[];
export type TranslationKind = (typeof KINDS)[number];
export const isTranslation = (kind: ProposalKind): kind is TranslationKind =>
  (KINDS as readonly ProposalKind[]).includes(kind);

/** A translation in the making. What it needs of the source is as it was when the translation began. */
export interface Translation {
  readonly source: {
    readonly id: string;
    readonly revision: number;
    readonly language: string | null;
    readonly title: string;
    /** Texts beside the content, by the names of their fields. */
    readonly fields: Readonly<Record<string, string>>;
    readonly content: string;
  };
  /** Language tag. */
  readonly into: string;
  /** What a new draft takes over from the source; empty for an update. */
  readonly kept: ProposedChanges;
  /** Text of the translation that is updated, as far as the model is shown it; empty for a new one. */
  readonly present: string;
  /** What the model made of the first texts, in their order; empty for what it left out. */
  readonly translated: readonly string[];
}

const RULES_OF_TRANSLATIONS = `${RULES}
- Texts to translate may have markers: ⟦1⟧ and ⟦/1⟧ around words, or ⟦2⟧ for itself. Keep each one exactly once: a pair
  around the words that mean the same, a single one where it belongs. They aren’t square brackets.
- Return every text under its own number. Keep names, figures and addresses as they are.`;

/** Most characters of a post that is translated: what the longest generated post has. */
const MAX_TRANSLATED_CHARACTERS = 40_000;
/** Characters of the texts in one request: models return no more than a few thousand tokens. */
const MAX_REQUEST_CHARACTERS = 4_000;
/** What a text takes in the JSON beside its characters. */
const FORM_CHARACTERS = 20;
const MAX_PRESENT_CHARACTERS = 12_000;
const FORM_TOKENS = 800;
/** Most scripts take a token for two to five characters, some for less than one. */
const TOKENS_PER_CHARACTER = 1.5;
const MAX_TITLE = 300;
const MAX_DESCRIPTION = 1_000;
const MAX_QUOTED = 300;

const answerForm = z.object({ texts: z.array(z.object({ number: z.int(), text: z.string() })) });

/** @param source what the post is a translation of, where that is to be translated again. */
export async function beginTranslation(
  { blog, request, textOf }: Pick<ProposalInput, 'blog' | 'request' | 'textOf'>,
  source: Blog | null,
): Promise<Translation> {
  if (request.kind === 'translate') {
    const { translation_key: _key, ...extra } = extras.of(blog.extra);
    const { categories, tags, featuredImageUrl, generatedImages } = blog;
    const into = request.language ?? '';
    const kept = { categories, tags, featured_image_url: featuredImageUrl, generated_images: generatedImages };
    return begin(blog, { into, kept: { ...kept, ...extra, canonical_url: null, language: into }, present: '' });
  }
  const { language } = extras.of(blog.extra);
  if (source === null || language === null) {
    throw nothingToPropose('The post is no longer a translation of another one.');
  }
  const present = (await textOf(blog.content)).slice(0, MAX_PRESENT_CHARACTERS).toWellFormed();
  return begin(source, { into: language, kept: {}, present });
}

function begin(from: Blog, rest: Pick<Translation, 'into' | 'kept' | 'present'>): Translation {
  const { id, revision, title, content, extra } = from;
  const { language, og_title, og_description, x_title, x_description } = extras.of(extra);
  const texts = {
    ...{ title, excerpt: from.excerpt, meta_title: from.metaTitle, meta_description: from.metaDescription },
    ...{ og_title, og_description, x_title, x_description },
  };
  const fields = Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  const translation = { source: { id, revision, language, title, fields, content }, ...rest, translated: [] };
  if (textsOf(translation).reduce((sum, text) => sum + text.length, 0) > MAX_TRANSLATED_CHARACTERS) {
    throw new JobFailed(
      'too_long',
      `The post has more than ${MAX_TRANSLATED_CHARACTERS} characters of text. Split it, or translate it yourself.`,
    );
  }
  return translation;
}

const textsOf = ({ source: { fields, content } }: Pick<Translation, 'source'>): readonly string[] => [
  ...Object.values(fields),
  ...cutContent(content).texts,
];

/** Where each request ends among the texts. */
function endsOfRequests(texts: readonly string[]): number[] {
  const ends: number[] = [];
  let length = 0;
  for (const [index, text] of texts.entries()) {
    const own = text.length + FORM_CHARACTERS;
    if (length > 0 && length + own > MAX_REQUEST_CHARACTERS) {
      ends.push(index);
      length = 0;
    }
    length += own;
  }
  return [...ends, texts.length];
}

/** How many requests have been made, of how many. */
export function progressOf(translation: Translation): { readonly done: number; readonly inAll: number } {
  const ends = endsOfRequests(textsOf(translation));
  return { done: ends.filter((end) => end <= translation.translated.length).length, inAll: ends.length };
}

/** Translates as many of the texts as go into one request. */
export async function translateMore(input: ProposalInput, translation: Translation): Promise<Translation> {
  const { source, into, present, translated } = translation;
  const texts = textsOf(translation);
  const start = translated.length;
  const end = endsOfRequests(texts).find((each) => each > start) ?? texts.length;
  const asked = texts.slice(start, end);
  const numbered = JSON.stringify(asked.map((text, index) => ({ number: start + index, text })));
  const from = source.language === null ? '' : ` from ${nameOfLanguage(source.language)}`;
  const keep =
    present === ''
      ? ''
      : '\nThe data has the translation of an earlier version, which people may have edited. Keep its words where they still fit.';
  const answer = await modelOf(input).ask({
    name: 'translation',
    schema: answerForm,
    system: RULES_OF_TRANSLATIONS,
    prompt: `Translate each numbered text of the post ${JSON.stringify(source.title)}${from} into ${nameOfLanguage(into)}.${keep}${instructionsOf(input)}

${dataOf(input, [['the texts', numbered], ...(present === '' ? [] : [['the earlier translation', present] as const])])}`,
    maxTokens: FORM_TOKENS + Math.ceil(TOKENS_PER_CHARACTER * numbered.length),
  });
  const byNumber = new Map(answer.texts.map(({ number, text }) => [number, text]));
  const made = asked.map((text, index) => plain(byNumber.get(start + index) ?? '', longestTranslation(text)));
  return { ...translation, translated: [...translated, ...made] };
}

/** The proposal of a translation that is complete. */
export function proposeTranslation(
  input: Pick<ProposalInput, 'notes'>,
  { source, into, kept, translated }: Translation,
): ProposalContent {
  if (translated.every((text) => text === '')) throw nothingToPropose('The model returned no text.');
  const names = Object.keys(source.fields);
  const fields = Object.fromEntries(
    names.map((name, index) => [name, cut(translated[index] || source.fields[name] || '', maxLengthOf(name))]),
  );
  const { html: content, left } = cutContent(source.content).put(translated.slice(names.length));
  const about = { source_id: source.id, revision: source.revision, language: into };
  return withHints(
    input,
    withoutChoice(
      { ...kept, ...fields, content, translation: about },
      translated.map(withoutMarkers),
      left.map((text) => `Not translated, as the model left it out or changed its links or code: “${quoted(text)}”`),
    ),
  );
}

/** Without half a character at its end. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/\p{Cs}$/u, '');

const maxLengthOf = (field: string) =>
  field === 'excerpt' || field.endsWith('description') ? MAX_DESCRIPTION : MAX_TITLE;

const quoted = (text: string) => plain(text, MAX_QUOTED);

/** “Austrian German (de-AT)”: models know names better than tags. */
function nameOfLanguage(tag: string): string {
  try {
    const name = new Intl.DisplayNames('en', { type: 'language' }).of(tag);
    return name === undefined || name === tag ? tag : `${name} (${tag})`;
  } catch {
    return tag;
  }
}
