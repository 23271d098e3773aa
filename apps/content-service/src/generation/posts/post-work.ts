import type { GenerationStep } from '@blog-content/payload-schemas';
import type { NotesInUse } from '../../brand-voice/notes.ts';
import type { LinkPlacement } from '../writing/place-links.ts';
import type { Meta, Outline, OwnPost, Section } from '../writing/writer.ts';

/** What the steps of a post have made so far: the job's row has it after each. */
export interface PostWork {
  readonly ownPosts: readonly OwnPost[];
  /** The notes of when it began: all steps go by the same version. Absent where there were none. */
  readonly brandVoice?: NotesInUse | null;
  readonly outline: Outline;
  readonly sections: readonly Section[];
  /** The content, once links are placed. */
  readonly html?: string;
  readonly links: readonly LinkPlacement[];
  readonly meta?: Meta;
  readonly pictures: readonly string[];
  readonly cut: readonly string[];
}

/** The steps beside that of the sections, which counts once for each. */
const SINGLE_STEPS = 5;
/** Sections that are expected before there is an outline. */
const EXPECTED_SECTIONS = 6;

/** How far a post is, by its next step. */
export function progressOf(
  step: GenerationStep,
  work: Pick<PostWork, 'outline' | 'sections'> | null,
): { readonly stepsDone: number; readonly stepsInAll: number } {
  const sections = work?.outline.sections.length ?? EXPECTED_SECTIONS;
  const written = work?.sections.length ?? 0;
  const behind = { outline: 0, sections: 1, links: 1, meta: 2, pictures: 3, checks: 4 }[step];
  return { stepsDone: behind + written, stepsInAll: SINGLE_STEPS + sections };
}
