import type { BlogGenerateRequest } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { Notes } from '../../brand-voice/notes.ts';

/** What is to be written, without the sources. */
export type Brief = Omit<BlogGenerateRequest, 'sources'>;

/** Something to write from, as text. */
export interface Source {
  /** Counted from 1. */
  readonly number: number;
  readonly title: string;
  /** Null for text that was pasted. */
  readonly url: string | null;
  readonly text: string;
}

/** A published post of the project. */
export interface OwnPost {
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly keyword: string | null;
}

/** Limits of what a writer may answer: what is beyond them is cut. */
export const WRITING_LIMITS = {
  sections: 20,
  points: 12,
  blocks: 40,
  textLength: 4_000,
  listItems: 30,
  tableRows: 50,
  tableCells: 10,
  labels: 10,
} as const;

export const outline = z.object({
  title: z.string().describe('Title of the post.'),
  sections: z.array(
    z.object({
      heading: z.string().describe('Heading of the section.'),
      points: z.array(z.string()).describe('What the section says, point by point.'),
    }),
  ),
});
export type Outline = z.infer<typeof outline>;

/** A piece of a section. Text is text: nothing in it is taken for HTML or Markdown. */
export const block = z.object({
  kind: z.enum(['paragraph', 'subheading', 'minor_subheading', 'list', 'numbered_list', 'quote', 'table']),
  text: z.string().describe('The text of a paragraph, heading or quote; else empty.'),
  items: z.array(z.string()).describe('The items of a list; else empty.'),
  rows: z.array(z.array(z.string())).describe('The rows of a table, the first is its head; else empty.'),
  sources: z.array(z.int()).describe('Numbers of the sources that say so.'),
});
export type Block = z.infer<typeof block>;

export const section = z.object({ blocks: z.array(block) });
export type Section = z.infer<typeof section>;

export const meta = z.object({
  excerpt: z.string().describe('A summary in one or two sentences.'),
  meta_title: z.string().describe('Title for search engines, at most 70 characters.'),
  meta_description: z.string().describe('Summary for search engines, at most 160 characters.'),
  keyword: z.string().describe('The focus keyword.'),
  categories: z.array(z.string()).describe('Those of the given categories that fit.'),
  tags: z.array(z.string()).describe('Those of the given tags that fit.'),
});
export type Meta = z.infer<typeof meta>;

/** What every task goes by. */
export interface WritingContext {
  readonly brief: Brief;
  readonly sources: readonly Source[];
  /** Sources of the project that every post may go by. A post doesn't cite them. */
  readonly knowledge: readonly Source[];
  /** What the owner has noted for every post; null for nothing. */
  readonly notes: Notes | null;
  /** Published posts of the same project that are near the topic. */
  readonly ownPosts: readonly OwnPost[];
}

export interface SectionTask extends WritingContext {
  readonly outline: Outline;
  /** Which of the outline's sections. */
  readonly index: number;
}

export interface MetaTask extends WritingContext {
  readonly title: string;
  readonly text: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
}

/** Writes a post piece by piece: a model, or a substitute for one. */
export interface Writer {
  /** The model's name, or `offline`. */
  readonly name: string;
  /** What is at the top of the draft, for people; null for nothing. */
  readonly notice: string | null;
  outline(task: WritingContext): Promise<Outline>;
  section(task: SectionTask): Promise<Section>;
  meta(task: MetaTask): Promise<Meta>;
  /** Bytes of a picture for the post; absent where no model makes pictures. */
  readonly draw?: (brief: Brief) => Promise<Buffer>;
}

/** Words that a section should have. */
export function sectionWords({ length }: Brief, sections: number): number {
  return Math.max(40, Math.round(length / Math.max(1, sections)));
}
