import { GENERATION_LIMITS, MAX_SHORT_TEXT, type GenerationSource } from '@blog-content/payload-schemas';
import { storableText } from '@blog-content/service-runtime';
import { isContentRefused, type ContentWork } from '../../content/content-work.ts';
import type { GivenSource } from '../report/write-report.ts';
import { FetchRefused } from '../../platform/outgoing/guarded-get.ts';
import type { PageFetcher } from './fetch-page.ts';

export interface SourceReaderDependencies {
  readonly fetchPage: PageFetcher;
  readonly contentWork: Pick<ContentWork, 'readPage'>;
}

/** Reads a source as text. One that cannot be read says why. @throws errors that may pass. */
export async function readSource(
  { fetchPage, contentWork }: SourceReaderDependencies,
  { projectId, source, number, signal }: SourceTask,
): Promise<GivenSource> {
  if ('text' in source)
    return { number, title: source.title ?? `Text ${number}`, url: null, text: source.text, problem: null };
  try {
    const { url, isHtml, text: body } = await fetchPage(source.url, signal);
    const page = isHtml ? await contentWork.readPage(projectId, body) : { title: '', text: body };
    if ('refused' in page) return unreadable(page.refused);
    const text = storableText(page.text).trim().slice(0, GENERATION_LIMITS.sourceLength).toWellFormed();
    if (text === '') return unreadable('has no text');
    const title = storableText(page.title).trim().slice(0, MAX_SHORT_TEXT).toWellFormed() || new URL(url).hostname;
    return { number, title, url: source.url, text, problem: null };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchRefused) return unreadable(error.message);
    if (isContentRefused(error)) return unreadable('cannot be reduced to text');
    throw error;
  }

  function unreadable(problem: string): GivenSource {
    const { url } = source as { readonly url: string };
    return { number, title: url.slice(0, MAX_SHORT_TEXT), url, text: null, problem: `The URL ${problem}.` };
  }
}

export interface SourceTask {
  readonly projectId: string;
  readonly source: GenerationSource;
  /** Counted from 1. */
  readonly number: number;
  readonly signal: AbortSignal;
}
