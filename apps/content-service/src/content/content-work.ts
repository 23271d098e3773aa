import { pause, TooBusy } from '@blog-content/concurrency';
import { MAX_CONTENT } from '@blog-content/payload-schemas';
import { OperationalError, refuseWhenBusy, storableText, unprocessable } from '@blog-content/service-runtime';
import { createWorkerPool, WorkLimitExceeded } from '../platform/workload/worker-pool.ts';
import type * as contentFunctions from './content-functions.ts';
import { isSmallHtml, publishedContent, type ContentToPublish, type PublishedContent } from './published-content.ts';

/** What is written of content in a request; neither, when the content stays as it is. */
export interface ContentRequest {
  readonly content?: string | undefined;
  readonly content_markdown?: string | undefined;
}

/** Content as a draft holds it; empty, when it stays as it is. */
export interface WrittenContent {
  readonly content?: string;
  readonly contentMarkdown?: string | null;
  /** The slugs that its placeholders name, where they have been looked for: in long content that takes its time. */
  readonly linkSlugs?: readonly string[];
}

/**
 * Work on content whose time depends on what its author wrote. What may take long runs in threads, where the accounts
 * that own the projects take turns, and ends with 422 after a deadline. Each function throws a 429 problem when too
 * much of the account's work waits, or for too long.
 */
export interface ContentWork {
  /**
   * Cleans what a request writes.
   * @throws a 422 problem of the field for content beyond the limits; ContentBreaksWork.
   */
  clean(projectId: string, request: ContentRequest): Promise<WrittenContent>;
  /**
   * Makes the published form. Large contents of one account come one after the other, each after the time that the size
   * of the one before takes: what is published is work for every service. Once the process is about to end, those that
   * wait are refused as if they had waited for too long.
   * @throws a 422 problem for old content, beyond the limits, that takes too long.
   */
  publish(projectId: string, content: ContentToPublish): Promise<PublishedContent>;
  diff(projectId: string, before: string, after: string): Promise<ReturnType<typeof contentFunctions.diffContent>>;
  /** Which of the candidates fit where in a text: see `link-suggestions`. */
  suggestLinks(
    projectId: string,
    task: Parameters<typeof contentFunctions.suggestLinks>[0],
  ): Promise<ReturnType<typeof contentFunctions.suggestLinks>>;
  /** The words of a text by which posts are looked up: see `link-suggestions`. */
  lookupWordsOf(projectId: string, html: string): Promise<string[]>;
  /** What people read of a page that was fetched. @throws a 422 problem for one that takes too long. */
  readPage(projectId: string, html: string): Promise<ReturnType<typeof contentFunctions.readPage>>;
  close(): Promise<void>;
}

export interface ContentWorkOptions {
  /** Aborted when the process is about to end: it may not have the time to wait for slots. */
  readonly stopping?: AbortSignal;
  readonly deadlineMs?: number;
  /** Most time that work waits for a slot, in milliseconds. */
  readonly maxWaitMs?: number;
  readonly publishedPerSecond?: number;
}

/** The work has thrown: it breaks on this content whenever it is tried. */
export class ContentBreaksWork extends Error {
  override readonly name = 'ContentBreaksWork';
}

/** Whether work failed because of the content: it would fail whenever it is tried. */
export const isContentRefused = (error: unknown): boolean =>
  error instanceof ContentBreaksWork || (error instanceof OperationalError && error.code === 'unprocessable');

type Functions = typeof contentFunctions;

/** Two threads, of which an account has one: while one account's content takes its time, the others have the second. */
const LIMITS = { threads: 2, slotsEach: 1, waitingEach: 32, waiting: 200 };
/** Many times what the largest post within the limits takes, so that a busy machine is no reason to refuse one. */
const DEADLINE_MS = 10_000;
/** With the deadline less than a transaction may take, because publishing works within one. */
const WAIT_MS = 8_000;
const HEAP_MIB = 96;
/**
 * How many characters an account publishes in a second. A post of half a million keeps every service busy, for a
 * quarter of a second in all: it is stored, logged, projected, planned and sent. HTML that needs no thread is not
 * counted.
 */
const PUBLISHED_PER_SECOND = 1_000_000;
/** How long a publish waits for the ones before; more are refused. No connection is held meanwhile. */
const PUBLISH_WAIT_MS = 20_000;
const RETRY_AFTER_S = 2;
const NEVER = new AbortController().signal;

/**
 * Starts no thread before there is something for it to do.
 *
 * @param ownerOf the account that owns a project.
 */
export function createContentWork(
  ownerOf: (projectId: string) => Promise<string>,
  {
    stopping = NEVER,
    deadlineMs = DEADLINE_MS,
    maxWaitMs,
    publishedPerSecond = PUBLISHED_PER_SECOND,
  }: ContentWorkOptions = {},
): ContentWork {
  const publishWaitMs = maxWaitMs ?? PUBLISH_WAIT_MS;
  const module = new URL('content-functions', import.meta.url);
  const pool = createWorkerPool<Functions>({
    module,
    ...LIMITS,
    deadlineMs,
    maxWaitMs: maxWaitMs ?? WAIT_MS,
    heapMib: HEAP_MIB,
  });

  async function inThread<Name extends keyof Functions>(
    projectId: string,
    name: Name,
    task: Parameters<Functions[Name]>[0],
    field: string,
  ): Promise<ReturnType<Functions[Name]>> {
    // Outside of what follows: what fails here is no fault of the content.
    const owner = await ownerOf(projectId);
    try {
      return await pool.run(owner, name, task);
    } catch (error) {
      if (error instanceof WorkLimitExceeded) throw tooSlow(field, deadlineMs);
      if (error instanceof TooBusy) return orTooBusy(error);
      throw new ContentBreaksWork(`${name} has thrown.`, { cause: error });
    }
  }

  /** When an account may publish its next large content. */
  const nextAtMs = new Map<string, number>();

  /** Waits until the time is over that the sizes of the account's contents before take. */
  async function pacePublishing(owner: string, { html }: ContentToPublish): Promise<void> {
    const nowMs = performance.now();
    for (const [account, atMs] of nextAtMs) if (atMs <= nowMs) nextAtMs.delete(account);
    const beginsMs = nextAtMs.get(owner) ?? nowMs;
    if (beginsMs > nowMs + publishWaitMs) return orTooBusy(new TooBusy());
    nextAtMs.set(owner, beginsMs + (1_000 * html.length) / publishedPerSecond);
    if (beginsMs === nowMs) return;
    await pause(beginsMs - nowMs, stopping);
    if (stopping.aborted) orTooBusy(new TooBusy());
  }

  return {
    async clean(projectId, { content, content_markdown: markdown }) {
      if (content === undefined && markdown === undefined) return {};
      const given =
        content === undefined
          ? { field: 'content_markdown' as const, markdown: storableText(markdown ?? '') }
          : { field: 'content' as const, html: storableText(content) };
      // A little Markdown can make much HTML.
      const isSmall = given.field === 'content' && isSmallHtml(given.html);
      const cleaned = isSmall ? await cleanSmall(given) : await inThread(projectId, 'cleanContent', given, given.field);
      if ('refused' in cleaned) throw unprocessable([{ field: given.field, message: cleaned.refused }]);
      if (cleaned.html.length > MAX_CONTENT) throw unprocessable([{ field: given.field, message: TOO_LONG }]);
      const { html, linkSlugs } = cleaned;
      return { content: html, contentMarkdown: given.field === 'content' ? null : given.markdown, linkSlugs };
    },

    async publish(projectId, content) {
      if (isSmallHtml(content.html)) return publishedContent(content);
      await pacePublishing(await ownerOf(projectId), content);
      return inThread(projectId, 'publishedContent', content, 'content');
    },

    // Never without a thread: it takes time by the square of what differs.
    diff: (projectId, before, after) => inThread(projectId, 'diffContent', { before, after }, 'content'),

    suggestLinks: async (projectId, task) =>
      isSmallHtml(task.html)
        ? (await loadFunctions()).suggestLinks(task)
        : inThread(projectId, 'suggestLinks', task, 'text'),

    lookupWordsOf: async (projectId, html) =>
      isSmallHtml(html)
        ? (await loadFunctions()).lookupWordsOf({ html })
        : inThread(projectId, 'lookupWordsOf', { html }, 'text'),

    readPage: (projectId, html) => inThread(projectId, 'readPage', { html }, 'sources'),

    close: () => pool.close(),
  };
}

/**
 * The cleaner and its like are loaded when something is first written: a replica that only serves reads needs none of
 * them.
 */
const loadFunctions = (): Promise<Functions> => import('./content-functions.ts');

async function cleanSmall(
  given: Parameters<Functions['cleanContent']>[0],
): Promise<ReturnType<Functions['cleanContent']>> {
  const { cleanContent } = await loadFunctions();
  try {
    return cleanContent(given);
  } catch (error) {
    throw new ContentBreaksWork('cleanContent has thrown.', { cause: error });
  }
}

const TOO_LONG = `has more than ${MAX_CONTENT} characters after sanitizing`;

const tooSlow = (field: string, deadlineMs: number): OperationalError =>
  unprocessable([
    {
      field,
      message: `takes more than ${deadlineMs / 1_000} s or too much memory to process: simplify or split it`,
    },
  ]);

const orTooBusy = refuseWhenBusy(
  'Other content of this project’s owner is being processed. Try again shortly.',
  RETRY_AFTER_S,
);
