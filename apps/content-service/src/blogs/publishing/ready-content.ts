import { isDeepStrictEqual } from 'node:util';
import { conflict } from '@blog-content/service-runtime';
import type { ContentWork } from '../../content/content-work.ts';
import type { ContentToPublish, PublishedContent } from '../../content/published-content.ts';

/** What the published form of a content is made from. */
export interface PublishedSource extends ContentToPublish {
  readonly projectId: string;
}

/** The published form of a content, made before the transaction that publishes it. */
export interface ReadyContent extends PublishedSource {
  readonly published: PublishedContent;
}

/** Thrown out of a transaction that may not wait for a thread: to be run again with the published form of `source`. */
export class ContentNotReady extends Error {
  override readonly name = 'ContentNotReady';
  readonly source: PublishedSource;

  constructor(source: PublishedSource) {
    super('The published content must be prepared first.');
    this.source = source;
  }
}

/** Most times that the published form is made: once, and again whenever the content changed meanwhile. */
const MAX_TRIES = 3;

/**
 * Runs a transaction that publishes. It must not wait for a thread while it holds a connection: when it needs the
 * published form of large content it rolls back, the form is made, and the transaction runs again with it.
 *
 * @param transaction has done nothing when it throws `ContentNotReady`.
 * @throws a 409 problem when the content is changed faster than its published form is made.
 */
export async function withReadyContent<Result>(
  contentWork: Pick<ContentWork, 'publish'>,
  transaction: (ready: ReadyContent | undefined) => Promise<Result>,
): Promise<Result> {
  let ready: ReadyContent | undefined;
  for (let tries = 0; ; tries += 1) {
    try {
      return await transaction(ready);
    } catch (error) {
      if (!(error instanceof ContentNotReady)) throw error;
      if (tries === MAX_TRIES) throw conflict('The post changed while it was being published. Publish it again.');
      const { source } = error;
      ready = { ...source, published: await contentWork.publish(source.projectId, source) };
    }
  }
}

/** The published form: as it was made ready, or at once of content that takes no time. @throws ContentNotReady. */
export function publishedForm(
  contentWork: Pick<ContentWork, 'publishSmall'>,
  source: PublishedSource,
  ready: ReadyContent | undefined,
): PublishedContent {
  if (ready?.html === source.html && ready.hero === source.hero && isDeepStrictEqual(ready.images, source.images)) {
    return ready.published;
  }
  const published = contentWork.publishSmall(source);
  if (published === null) throw new ContentNotReady(source);
  return published;
}
