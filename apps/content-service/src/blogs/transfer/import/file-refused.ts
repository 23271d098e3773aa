import { isBusy, OperationalError } from '@blog-content/service-runtime';
import { ContentBreaksWork } from '../../../content/content-work.ts';
import { MAX_BLOGS, MAX_SCHEDULES } from '../../../limits.ts';
import { quotaReached } from '../../../quotas/quota-reached.ts';
import type { Blog } from '../../blog-row.ts';
import type { ChangeRequest, ReadyContent } from '../../publishing/change.ts';
import type { PublishStore } from '../../publishing/publish-store.ts';
import type { SlugRefusal } from '../../slugs/slug-claim-store.ts';
import { slugRefusal } from '../../writing/blog-actions.ts';
import type { BlogStore } from '../../writing/blog-store.ts';
import { problemText } from '../problem-text.ts';

/** The file itself is why it cannot be imported: trying again would not help. The message is for its owner. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

/** Another transaction has just made, renamed or deleted a blog with the slug: the next try sees it. */
export class FileConflict extends Error {
  override readonly name = 'FileConflict';
}

/** @throws FileRefused for content that is refused or that breaks the parser; not for errors that may pass. */
export async function orFileRefused<Result>(cleaning: Promise<Result>): Promise<Result> {
  try {
    return await cleaning;
  } catch (error) {
    if (error instanceof ContentBreaksWork) throw new FileRefused('The content is unreadable.', { cause: error });
    if (error instanceof OperationalError && !isBusy(error))
      throw new FileRefused(problemText(error), { cause: error });
    throw error;
  }
}

/** Said of a post that is dated further ahead than a schedule may be. */
const TOO_FAR_AHEAD = 'Kept as a draft: its date is more than two years ahead, so it cannot be scheduled.';

/**
 * Publishes the blog of a file, unless readers have it as it is.
 * @param ready as it was prepared
 * @returns what is to be said of it.
 * @throws FileRefused for a blog that is gone; FileConflict for one that has changed since it was prepared.
 */
export async function publishBlog(
  publishing: Pick<PublishStore, 'publish'>,
  { projectId, requestedBy }: Pick<ChangeRequest, 'projectId' | 'requestedBy'>,
  { id: blogId, state, changedSincePublish }: Blog,
  ready: ReadyContent | undefined,
): Promise<string[]> {
  if (state === 'published' && !changedSincePublish) return [];
  const asked = { projectId, blogId, trigger: 'manual', requestedBy } as const;
  return noteOnPublish(await publishing.publish(asked, 'publish', { ready }));
}

function noteOnPublish(outcome: Awaited<ReturnType<PublishStore['publish']>>): string[] {
  if ('scheduled' in outcome) return [`Scheduled for ${outcome.scheduled.publishAt.toISOString()}.`];
  if (!('refused' in outcome)) return [];
  if (outcome.refused === 'quota') return [`Not published. ${quotaReached(outcome.full, outcome.now).detail}`];
  if (outcome.refused === 'too_far_ahead') return [TOO_FAR_AHEAD];
  if (outcome.refused === 'dated_ahead') return ['Not published again: its date here is in the future.'];
  if (outcome.refused === 'too_many')
    return [`Not scheduled: limit of ${MAX_SCHEDULES} schedules per project reached.`];
  // The file waits until the project is resumed.
  if (outcome.refused === 'content_changed' || outcome.refused === 'suspended') throw new FileConflict();
  throw new FileRefused('The post could not be published because it was deleted.');
}

type Made = Awaited<ReturnType<BlogStore['create' | 'edit']>>;

export const isSlugRefused = (made: Made): made is SlugRefusal => typeof made === 'object' && 'refused' in made;

function refusedText(refusal: SlugRefusal): string {
  if (refusal.refused !== 'slug_taken' || !refusal.holder.isAlias) return slugRefusal(refusal).detail;
  const { slug, holder } = refusal;
  return `The slug “${slug}” is an alias of “${holder.title}”. Change the file’s slug, or release the alias.`;
}

export function blogOf(made: Made): Blog {
  if (isSlugRefused(made)) throw new FileRefused(refusedText(made));
  switch (made) {
    case 'too_many':
      throw new FileRefused(`Limit reached: ${MAX_BLOGS} posts per project.`);
    case 'not_found':
    case 'changed':
      throw new FileRefused('The post was deleted during the import.');
    case 'no_project':
      throw new FileRefused('The project was deleted.');
    default:
      return made;
  }
}
