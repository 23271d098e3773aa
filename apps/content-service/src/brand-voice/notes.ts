import {
  brandVoicePart,
  type BrandVoiceDocument,
  type BrandVoicePart,
  type BrandVoiceUse,
} from '@blog-content/payload-schemas';
import type { BrandVoice } from './brand-voice-store.ts';

/** What an owner has written for everything that is generated. Without sources: those are material, not instructions. */
export type Notes = Omit<BrandVoiceDocument, 'sources'>;

/** One version of a project's brand voice, and what of it a writer is given. */
export interface NotesInUse extends BrandVoiceUse {
  readonly notes: Notes;
}

/** What of a brand voice a writer goes by; null where that is empty. @param readable what the writer can make use of. */
export function notesInUse(
  { document, version }: Pick<BrandVoice, 'document' | 'version'>,
  readable: readonly BrandVoicePart[] = brandVoicePart.options,
): NotesInUse | null {
  const { sources: _sources, ...notes } = document;
  const parts = readable.filter((part) => document[part].length > 0);
  return parts.length === 0 ? null : { version, parts, notes };
}

const LINES: readonly (readonly [Exclude<BrandVoicePart, 'sources'>, string])[] = [
  ['voice', 'Voice'],
  ['audience', 'Readers'],
  ['facts', 'Facts that the post may state'],
  ['words_to_use', 'Words and phrases to prefer'],
  ['words_to_avoid', 'Words and phrases never to write'],
  ['glossary', 'Glossary'],
];

/** The notes as a part of a task, which a request outranks; empty for none. */
export function describeNotes(notes: Notes | null): string {
  const lines = LINES.flatMap(([part, name]) => {
    const note = notes?.[part] ?? '';
    return note.length === 0 ? [] : [`${name}: ${JSON.stringify(note)}`];
  });
  return lines.length === 0
    ? ''
    : ['Notes of the owner for all posts of this website; what is said above comes first:', ...lines].join('\n');
}

/** What of the notes supports what a text says. */
export function supportOf(notes: Notes | null): string[] {
  if (notes === null) return [];
  return [...notes.facts, ...notes.glossary.map(({ term, meaning }) => `${term}: ${meaning}`)];
}
