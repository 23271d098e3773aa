import { compileContent, placeholderSlugs } from '@blog-content/link-resolver';
import { extras } from '@blog-content/payload-schemas';
import { TooBusy } from '@blog-content/concurrency';
import { imageHashesIn } from '../../../images/image-urls.ts';
import { createWorkerPool, WorkLimitExceeded } from '../../../platform/workload/worker-pool.ts';
import type { Blog } from '../../blog-row.ts';
import type { ExportFormat, PortableContent, PortableTask } from './portable-content.ts';
import { leadOf, type Target, type Targets } from './portable-markdown.ts';
import type * as portableFunctions from './portable-functions.ts';
import type { ExportedImages } from './portable-images.ts';

/** Makes contents portable: small ones immediately, large ones in a thread. */
export interface PortableWriter {
  write(blog: Blog, surroundings: Surroundings): Promise<PortableContent>;
  close(): Promise<void>;
}

/** What a project’s posts are exported among. */
export interface Surroundings {
  readonly format: ExportFormat;
  readonly targets: Targets;
  readonly images: ExportedImages;
}

/** Content of at most so many characters takes some ten milliseconds at most. */
const MAX_SMALL = 8_192;
/** Exports of one process take turns, a post each. */
const LIMITS = { threads: 1, slotsEach: 1, waitingEach: 1, waiting: 10 };
const DEADLINE_MS = 10_000;
const HEAP_MIB = 192;

/** Starts no thread before there is something large to write. */
export function createPortableWriter(): PortableWriter {
  const module = new URL('portable-functions', import.meta.url);
  const pool = createWorkerPool<typeof portableFunctions>({
    module,
    ...LIMITS,
    heapMib: HEAP_MIB,
    deadlineMs: DEADLINE_MS,
    maxWaitMs: LIMITS.waiting * DEADLINE_MS,
  });
  const writeHere = async (task: PortableTask) => (await import('./portable-functions.ts')).portableContent(task);
  return {
    async write({ projectId, slug, extra, content, contentMarkdown }, { format, targets, images }) {
      const from = { slug, language: extras.of(extra).language };
      const ledTo = (target: Target) => {
        const { slug, title } = leadOf(target, from);
        return { slug, title };
      };
      const task = {
        projectId,
        slug,
        content,
        contentMarkdown,
        format,
        targets: mapValues(only(targets, placeholderSlugs(compileContent(content))), ledTo),
        images: only(images, imageHashesIn(projectId, [content, contentMarkdown])),
      };
      if (content.length + (contentMarkdown?.length ?? 0) <= MAX_SMALL) return writeHere(task);
      try {
        return await pool.run(projectId, 'portableContent', task);
      } catch (error) {
        if (!(error instanceof WorkLimitExceeded || error instanceof TooBusy)) throw error;
        // That takes no more time than its length says.
        return writeHere({ ...task, format: 'html' });
      }
    },
    close: () => pool.close(),
  };
}

/** The entries of some keys: a whole project’s are not sent to a thread with each post. */
const only = <Value>(all: ReadonlyMap<string, Value>, keys: readonly string[]): Map<string, Value> =>
  new Map(keys.flatMap((key) => (all.has(key) ? [[key, all.get(key)!] as const] : [])));

const mapValues = <From, To>(all: ReadonlyMap<string, From>, toOther: (value: From) => To): Map<string, To> =>
  new Map([...all].map(([key, value]) => [key, toOther(value)]));
