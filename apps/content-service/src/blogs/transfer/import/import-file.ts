import { OperationalError } from '@blog-content/service-runtime';
import { ContentBreaksWork, type ContentWork, type WrittenContent } from '../../../content/content-work.ts';
import { MAX_BLOGS } from '../../../limits.ts';
import type { PublishStore } from '../../publishing/publish-store.ts';
import { withReadyContent, type ReadyContent } from '../../publishing/ready-content.ts';
import type { Blog, BlogStore } from '../../writing/blog-store.ts';
import { draftChanges, newDraft } from '../../writing/draft.ts';
import { problemText } from '../problem-text.ts';
import type { FileResult, ImportStore, WaitingFile } from './import-store.ts';

export interface ImportFileDependencies {
  readonly blogs: Pick<BlogStore, 'create' | 'edit' | 'findBySlug'>;
  readonly imports: Pick<ImportStore, 'withFile'>;
  readonly contentWork: Pick<ContentWork, 'clean' | 'publish'>;
  readonly publishing: Pick<PublishStore, 'publish'>;
}

const TOO_MANY_REQUESTS = 429;

/** The file itself is why it cannot be imported: trying again would not help. The message is for its owner. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

/** Another transaction has just made, or deleted, a blog with the slug: the next try sees it. */
export class FileConflict extends Error {
  override readonly name = 'FileOvertaken';
}

/**
 * Makes a blog of a file, or edits the one that has its slug, and publishes it where that was asked for, in one
 * transaction. The content is cleaned before: this may take its time, and the transaction holds a connection and the
 * file.
 *
 * @returns null when somebody else had the file locked.
 * @throws FileRefused, FileConflict; any other error may pass. Nothing has happened then.
 */
export async function importFile(dependencies: ImportFileDependencies, file: WaitingFile): Promise<FileResult | null> {
  const { imports, blogs, contentWork } = dependencies;
  const { projectId, existing, post } = file;
  const isSkipped = existing === 'skip' && (await blogs.findBySlug(projectId, post.slug)) !== null;
  const written = isSkipped ? null : await readable(contentWork.clean(projectId, post.request));
  return withReadyContent(contentWork, (ready) =>
    imports.withFile(file, () => writeFile(dependencies, file, written, ready)),
  );
}

/** @param written null for a file that was to be skipped. */
async function writeFile(
  { blogs, publishing }: ImportFileDependencies,
  { projectId, requestedBy, publish, existing, post }: WaitingFile,
  written: WrittenContent | null,
  ready: ReadyContent | undefined,
): Promise<FileResult> {
  const notes = [...post.notes];
  const there = await blogs.findBySlug(projectId, post.slug);
  if (there && existing === 'skip') {
    return { status: 'skipped', message: `A blog has the slug “${post.slug}” already.`, blogId: there.id };
  }
  if (written === null) throw new FileConflict();
  const made = there
    ? await blogs.edit(projectId, there.id, draftChanges(post.request, written), undefined)
    : await blogs.create(projectId, newDraft(post.request, written), post.slug);
  if (made === 'slug_taken' && (await blogs.findBySlug(projectId, post.slug))) throw new FileConflict();
  const blog = blogOf(made, post.slug);

  const isPublished = blog.state === 'published';
  if (post.isDraft && isPublished) notes.push('It is a draft here, and stays published.');
  if (publish && !post.isDraft && (!isPublished || blog.changedSincePublish)) {
    const beganAt = post.date === null ? {} : { beganAt: new Date(post.date) };
    const request = { projectId, blogId: blog.id, trigger: 'manual', requestedBy } as const;
    const published = await publishing.publish(request, 'publish', { ...beganAt, ready });
    if ('refused' in published) throw new FileRefused('The blog could not be published: it was deleted meanwhile.');
  }
  const message = notes.length > 0 ? notes.join(' ') : null;
  return { status: there ? 'updated' : 'created', message, blogId: blog.id };
}

/** @throws FileRefused for content that is refused or that breaks the parser; not for errors that may pass. */
async function readable(cleaning: Promise<WrittenContent>): Promise<WrittenContent> {
  try {
    return await cleaning;
  } catch (error) {
    if (error instanceof ContentBreaksWork) throw new FileRefused('Its content cannot be read.', { cause: error });
    if (error instanceof OperationalError && error.status !== TOO_MANY_REQUESTS)
      throw new FileRefused(problemText(error), { cause: error });
    throw error;
  }
}

function blogOf(made: Blog | 'slug_taken' | 'too_many' | 'not_found' | 'changed' | 'no_project', slug: string): Blog {
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
