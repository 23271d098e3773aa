import { OperationalError } from '@blog-content/service-runtime';
import { draftChanges, newDraft } from '../blogs/draft.ts';
import type { Blog, BlogStore } from '../blogs/blog-store.ts';
import type { ContentWork, WrittenContent } from '../content/content-work.ts';
import { MAX_BLOGS } from '../limits.ts';
import type { PublishStore } from '../publishing/publish-store.ts';
import type { FileEnd, WaitingFile } from './import-store.ts';
import { problemText } from './plan-import.ts';

export interface ImportFileDependencies {
  readonly blogs: Pick<BlogStore, 'create' | 'edit' | 'findBySlug'>;
  readonly contentWork: Pick<ContentWork, 'clean'>;
  readonly publishing: Pick<PublishStore, 'publish'>;
}

const TOO_MANY_REQUESTS = 429;

/** The file itself is why it cannot be imported: trying again would not help. The message is for its owner. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

/** Another transaction has just made a blog with the slug: the next try sees it. */
export class FileOvertaken extends Error {
  override readonly name = 'FileOvertaken';
}

/**
 * Makes a blog of a file, or edits the one that has its slug, and publishes it where that was asked for. To be run in one
 * transaction, which must roll back when it throws.
 *
 * @throws FileRefused, FileOvertaken; anything else is trouble that may pass.
 */
export async function importFile(
  { blogs, contentWork, publishing }: ImportFileDependencies,
  { projectId, requestedBy, publish, existing, post }: WaitingFile,
): Promise<FileEnd> {
  const notes = [...post.notes];
  const there = await blogs.findBySlug(projectId, post.slug);
  if (there && existing === 'skip') {
    return { status: 'skipped', message: `A blog has the slug “${post.slug}” already.`, blogId: there.id };
  }
  const written = await readable(contentWork.clean(projectId, post.request));
  const made = there
    ? await blogs.edit(projectId, there.id, draftChanges(post.request, written), undefined)
    : await blogs.create(projectId, newDraft(post.request, written), post.slug);
  if (made === 'slug_taken' && (await blogs.findBySlug(projectId, post.slug))) throw new FileOvertaken();
  const blog = settled(made, post.slug);

  const isPublished = blog.state === 'published';
  if (post.isDraft && isPublished) notes.push('It is a draft here, and stays published.');
  if (publish && !post.isDraft && (!isPublished || blog.changedSincePublish)) {
    const beganAt = post.date === null ? {} : { beganAt: new Date(post.date) };
    const request = { projectId, blogId: blog.id, trigger: 'manual', requestedBy } as const;
    const published = await publishing.publish(request, 'publish', beganAt);
    if ('refused' in published) throw new FileRefused('The blog could not be published: it was deleted meanwhile.');
  }
  const message = notes.length > 0 ? notes.join(' ') : null;
  return { status: there ? 'updated' : 'created', message, blogId: blog.id };
}

/** @throws FileRefused for content that is refused, or that its reading breaks on; not for what may pass. */
async function readable(cleaning: Promise<WrittenContent>): Promise<WrittenContent> {
  try {
    return await cleaning;
  } catch (error) {
    const isProblem = error instanceof OperationalError;
    if (isProblem && error.status === TOO_MANY_REQUESTS) throw error;
    throw new FileRefused(isProblem ? problemText(error) : 'Its content cannot be read.', { cause: error });
  }
}

function settled(made: Blog | 'slug_taken' | 'too_many' | 'not_found' | 'changed' | 'no_project', slug: string): Blog {
  switch (made) {
    case 'slug_taken':
      throw new FileRefused(`The slug “${slug}” is taken by another blog of the project.`);
    case 'too_many':
      throw new FileRefused(`A project has at most ${MAX_BLOGS} blogs.`);
    case 'not_found':
    case 'changed':
      throw new FileRefused('The blog was deleted meanwhile.');
    case 'no_project':
      throw new FileRefused('The project was deleted.');
    default:
      return made;
  }
}
