import type { UrlGuard } from '@blog-content/url-guard';
import { createGuardedGet, type AnswerHeaders } from '../../platform/outgoing/guarded-get.ts';

export interface FetchedPage {
  /** Where it was, once redirects were followed. */
  readonly url: string;
  readonly isHtml: boolean;
  readonly text: string;
}

/** @throws FetchRefused for each failure. */
export type PageFetcher = (url: string, signal: AbortSignal) => Promise<FetchedPage>;

/** Most time of one page in all. */
const PAGE_MS = 20_000;
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
const HTML = /^(?:text\/html|application\/xhtml\+xml)\b/i;
const TEXT = /^text\/(?:plain|markdown)\b/i;

export function createPageFetcher(guard: Pick<UrlGuard, 'check' | 'gotOptions'>, userAgent: string): PageFetcher {
  const get = createGuardedGet(guard, userAgent, {
    accept: 'text/html,text/plain;q=0.9',
    verb: 'read',
    timeoutMs: PAGE_MS,
    maxBytes: MAX_PAGE_BYTES,
    maxSize: `${MAX_PAGE_BYTES} bytes`,
    refusalOf,
  });
  return async (address, signal) => {
    const { url, type, body } = await get(address, signal);
    return { url, isHtml: HTML.test(type), text: decode(body, type) };
  };
}

function refusalOf({ 'content-type': type = '', 'content-encoding': coding = 'identity' }: AnswerHeaders) {
  if (!HTML.test(type) && !TEXT.test(type)) return `is not text: its host reports ${type.slice(0, 100)}`;
  return coding === 'identity' ? null : 'is compressed although that was not requested';
}

function decode(body: Buffer, type: string): string {
  const label = /charset=["']?([\w-]{1,40})/i.exec(type)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
