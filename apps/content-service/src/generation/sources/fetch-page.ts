import type { UrlGuard } from '@blog-content/url-guard';

/** The page could not be fetched. The message is a clause about its address. */
export class PageRefused extends Error {
  override readonly name = 'PageRefused';
}

export interface FetchedPage {
  /** Where it was, once redirects were followed. */
  readonly url: string;
  readonly isHtml: boolean;
  readonly text: string;
}

export type PageFetcher = (url: string, signal: AbortSignal) => Promise<FetchedPage>;

/** Redirects that are followed. */
const MAX_REDIRECTS = 3;
/** Most time of one page in all. */
const PAGE_MS = 20_000;
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const HTML = /^(?:text\/html|application\/xhtml\+xml)\b/i;
const TEXT = /^text\/(?:plain|markdown)\b/i;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly location: string | undefined;
  readonly body: Buffer;
}

/**
 * Fetches pages over the guard's connections, each hop with its own check: no address of our network is reached.
 *
 * @throws PageRefused for whatever it meets.
 */
export function createPageFetcher(guard: Pick<UrlGuard, 'check' | 'gotOptions'>, userAgent: string): PageFetcher {
  return async (address, ended) => {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(PAGE_MS)]);
    let url = address;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const verdict = await guard.check(url);
      if (!verdict.ok) throw new PageRefused(`may not be read: ${verdict.detail}`);
      const { status, type, location, body } = await request(url, guard, userAgent, signal);
      if (REDIRECTS.has(status) && location !== undefined && URL.canParse(location, url)) {
        url = new URL(location, url).href;
        continue;
      }
      if (status !== 200) throw new PageRefused(`was answered with status ${status}`);
      return { url, isHtml: HTML.test(type), text: decode(body, type) };
    }
    throw new PageRefused(`redirects more than ${MAX_REDIRECTS} times`);
  };
}

async function request(
  url: string,
  { gotOptions }: Pick<UrlGuard, 'gotOptions'>,
  userAgent: string,
  signal: AbortSignal,
): Promise<Answer> {
  const { default: got } = await import('got');
  const stream = got.stream(url, {
    headers: { 'user-agent': userAgent, accept: 'text/html,text/plain;q=0.9', 'accept-encoding': 'identity' },
    signal,
    ...gotOptions,
  });
  let [status, type, location]: [number, string, string | undefined] = [0, '', undefined];
  // got reports what it is destroyed with as an error of its own.
  let refused: PageRefused | undefined;
  const refuse = (because: PageRefused) => {
    refused = because;
    stream.destroy();
  };
  stream.on('response', (response: { statusCode: number; headers: Record<string, string | undefined> }) => {
    status = response.statusCode;
    type = response.headers['content-type'] ?? '';
    location = response.headers['location'];
    if (status !== 200) return;
    const coding = response.headers['content-encoding'] ?? 'identity';
    if (!HTML.test(type) && !TEXT.test(type))
      refuse(new PageRefused(`is no text: its host says ${type.slice(0, 100)}`));
    else if (coding !== 'identity') refuse(new PageRefused('is sent compressed, which was not asked for'));
  });
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_PAGE_BYTES) throw new PageRefused(`has more than ${MAX_PAGE_BYTES} bytes`);
      chunks.push(chunk);
    }
    if (refused !== undefined) throw refused;
    return { status, type, location, body: Buffer.concat(chunks) };
  } catch (error) {
    if (error instanceof PageRefused || refused !== undefined) throw refused ?? error;
    if (signal.aborted) throw new PageRefused(`did not come within ${PAGE_MS / 1_000} s`, { cause: error });
    throw new PageRefused('could not be reached', { cause: error });
  } finally {
    stream.destroy();
  }
}

function decode(body: Buffer, type: string): string {
  const label = /charset=["']?([\w-]{1,40})/i.exec(type)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
