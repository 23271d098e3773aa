import type { ProposalRequest } from '@blog-content/payload-schemas';
import { countWords } from '../../brand-voice/count-words.ts';
import { describeNotes, type Notes } from '../../brand-voice/notes.ts';
import type { Blog } from '../../blogs/writing/blog-store.ts';
import { JobFailed } from '../jobs/job.ts';
import type { Model } from '../model/model.ts';
import type { UnsupportedSentence } from '../report/find-unsupported.ts';
import type { ComparedTexts } from '../report/write-report.ts';
import { asData, marked } from '../writing/model-writer.ts';
import type { FoundPlace } from '../writing/place-links.ts';
import type { Source } from '../writing/writer.ts';
import type { ProposedChanges } from './proposal-store.ts';

/** Most notes of a proposal. */
const MAX_NOTES = 20;

export interface ProposalInput {
  readonly blog: Blog;
  readonly request: ProposalRequest;
  /** Null where nobody has set one up. */
  readonly model: Model | null;
  /** The text of HTML, a line for each block. */
  readonly textOf: (html: string) => Promise<string>;
  readonly suggestLinks: (html: string, limit: number) => Promise<readonly FoundPlace[]>;
  /** Finds sentences in the new texts that the old one does not support. */
  readonly compare: (texts: ComparedTexts) => Promise<readonly UnsupportedSentence[]>;
  /** The brand voice's notes; null if there are none. */
  readonly notes: Notes | null;
  /** The brand voice's sources. */
  readonly knowledge: readonly Source[];
  readonly labels: { readonly categories: string[]; readonly tags: string[] };
}

/** What a proposal is made of. */
export interface Made extends ProposalContent {
  /** What the model has written, as text. */
  readonly written: readonly string[];
}

export interface ProposalContent {
  readonly changes: ProposedChanges;
  readonly choices: readonly string[];
  readonly notes: readonly string[];
}

export const nothingToPropose = (message: string) => new JobFailed('nothing_to_propose', message);
export const withoutChoice = (
  changes: ProposedChanges,
  written: readonly string[],
  notes: readonly string[],
): Made => ({
  changes,
  choices: [],
  written,
  notes,
});

/** Says which words the owner has asked to avoid. */
function wordsToAvoid({ notes }: Pick<ProposalInput, 'notes'>, written: readonly string[]): string[] {
  const counts = notes === null ? [] : countWords(notes, written);
  const found = counts.filter(({ list, count }) => list === 'words_to_avoid' && count > 0);
  return found.length === 0 ? [] : [`Has words to avoid: ${found.map(({ word }) => `“${word}”`).join(', ')}.`];
}

export function modelOf({ model }: ProposalInput): Model {
  if (model === null) throw new JobFailed('no_model', 'No AI model is configured. See the AI model settings.');
  return model;
}

export const instructionsOf = ({ request: { instructions }, notes }: ProposalInput): string => {
  const asked = instructions ? [`Instructions of the owner: ${JSON.stringify(instructions)}`] : [];
  return [...asked, describeNotes(notes)].map((part) => part && `\n${part}`).join('');
};

/** What the task is about, and the project's own sources. */
export function dataOf(
  { knowledge }: ProposalInput,
  texts: readonly (readonly [name: string, text: string])[],
): string {
  const background = 'The sources in the data are background: go by them where the text is about the same.\n\n';
  return `${knowledge.length === 0 ? '' : background}${marked([...texts, ...asData(knowledge)])}`;
}

/** The proposal, with the words that it should not have among its notes. */
export const withHints = (
  input: Pick<ProposalInput, 'notes'>,
  { written, changes, choices, notes }: Made,
): ProposalContent => ({
  changes,
  choices,
  notes: [...wordsToAvoid(input, written), ...notes].slice(0, MAX_NOTES),
});
