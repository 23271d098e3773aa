import { extras, type PostData } from '@blog-content/payload-schemas';
import type { AuthorStore } from '../../../authors/author-store.ts';
import { matchAuthors } from '../../../authors/match-authors.ts';
import type { ContentWork, WrittenContent } from '../../../content/content-work.ts';
import { readImportedData } from '../../data/check-given-data.ts';
import type { Images } from '../../../images/open-images.ts';
import type { Transaction } from '../../../platform/database/open-database.ts';
import { fetchHotLinks } from '../../hosting/host-images.ts';
import { hotLinksOf } from '../../hosting/image-links.ts';
import type { PublishStore } from '../../publishing/publish-store.ts';
import type { ReadyContent } from '../../publishing/change.ts';
import type { Blog } from '../../blog-row.ts';
import type { BlogStore } from '../../writing/blog-store.ts';
import { checkTitle, draftChanges, newDraft } from '../../writing/draft.ts';
import { hashesOf } from '../../writing/working-copy-store.ts';
import type { ImportImage, ImportPost } from '../archive/plan-import.ts';
import { dropDataImages, isDataImage, keepDataImages } from './data-images.ts';
import { blogOf, FileConflict, FileRefused, isSlugRefused, orFileRefused, publishBlog } from './file-refused.ts';
import { importAuthor, isAuthor, type ImportAuthorDependencies } from './import-author.ts';
import { importDataFields, isDataFields, type ImportDataFieldsDependencies } from './import-data-fields.ts';
import { noteCurrentTranslations } from './import-file-store.ts';
import { awaitOthers, importReferences, isBrought } from './import-references.ts';
import { imageHashesOf, withHostedImages, withImportedImages } from './imported-images.ts';
import type { FileResult, ImportStore, WaitingFile, WaitingPost } from './import-store.ts';
import { findSamePost, type ImportedPost, type Standing, type StandingBlog } from './same-post.ts';

interface PostStores {
  readonly authors: Pick<AuthorStore, 'all'>;
  readonly blogs: Pick<BlogStore, 'create' | 'edit' | 'find' | 'findBySlug'>;
  readonly publishing: Pick<PublishStore, 'publish' | 'lockQuotas'>;
}

export interface ImportFileDependencies {
  readonly imports: Pick<ImportStore, 'withFile' | 'imagesByHash' | 'standing'>;
  readonly images: Pick<Images, 'save' | 'fetch'>;
  readonly authors: ImportAuthorDependencies['authors'];
  /** What precedes `/` and an image's key in its public URL. */
  readonly imageBaseUrl: string;
  readonly contentWork: Pick<ContentWork, 'clean'>;
  readonly blogs: Pick<BlogStore, 'find' | 'findBySlug'>;
  readonly dataFields: ImportDataFieldsDependencies['dataFields'];
  readonly publishing: Pick<PublishStore, 'prepareUnwritten'>;
  /** Makes the stores that a file is written by, on its transaction. */
  readonly postStoresOn: (tx: Transaction) => PostStores;
  readonly clock: () => Date;
}

/** Said of an image that is skipped. */
export const IMAGE_IS_THERE = 'The project already has this image.';
/** Posts have no place for it: images of the library do. */
const HERO_ALT_LOST = 'The alt text of the featured image was skipped. Only images copied here keep it.';
/** Of one file: other imports wait for their turn meanwhile. */
const IMPORT_HOSTING_LIMITS = { images: 20, timeMs: 15_000 };

/**
 * Makes a blog of a file, or edits the one that has its slug, and publishes it where that was asked for, in one
 * transaction. The content is cleaned before: this may take its time, and the transaction holds a connection and the
 * file.
 *
 * @returns null when somebody else had the file locked.
 * @throws FileRefused, FileConflict; any other error may pass. Nothing has happened then.
 */
export async function importFile(dependencies: ImportFileDependencies, file: WaitingFile): Promise<FileResult | null> {
  if (isImage(file)) return importImage(dependencies, file);
  if (isAuthor(file)) return importAuthor(dependencies, file);
  if (isDataFields(file)) return importDataFields(dependencies, file);
  const post = file as WaitingPost;
  return isBrought(post) ? importReferences(dependencies, post) : importPost(dependencies, post);
}

type WaitingImage = WaitingFile & { readonly post: ImportImage };
const isImage = (file: WaitingFile): file is WaitingImage => 'image' in file.post;

/** The image is stored before its file's transaction: it is the same one, however often that is tried. */
async function importImage(
  { images, imports }: ImportFileDependencies,
  file: WaitingImage,
): Promise<FileResult | null> {
  const { projectId, requestedBy: createdBy, post } = file;
  const bytes = Buffer.from(post.image, 'base64');
  const given = { projectId, createdBy, source: 'imported', bytes, alt: post.alt, name: post.name } as const;
  const { image, isNew } = await orFileRefused(images.save(given));
  const message = isNew ? null : IMAGE_IS_THERE;
  const status = isNew ? 'created' : 'skipped';
  return imports.withFile(file, () => Promise.resolve({ status, message, blogId: null, imageId: image.id }));
}

async function importPost(dependencies: ImportFileDependencies, waiting: WaitingPost): Promise<FileResult | null> {
  const { imports, imageBaseUrl, postStoresOn, clock } = dependencies;
  const { projectId, existing } = waiting;
  const named = importedPost(waiting);
  const seen = (await imports.standing(projectId, [named])).get(named.slug) ?? NOTHING_THERE;
  const same = findSamePost(named, seen, existing);
  if (same !== null && 'left' in same)
    return imports.withFile(waiting, (tx) => writeFile(postStoresOn(tx), waiting, seen, null, undefined, clock()));
  const library = await imports.imagesByHash(waiting, imageHashesOf(waiting.post));
  const { post: checked, missing } = await orFileRefused(
    withReadData(dependencies, projectId, waiting.post, same?.edit.id),
  );
  const hasMissing = Object.keys(missing).length > 0;
  const imported = withImportedImages(checked, library, imageBaseUrl);
  const { post, written } = await readImages(dependencies, waiting, imported);
  const file = { ...waiting, post, publish: waiting.publish && !hasMissing };
  const isPublished = file.publish && !post.isDraft;
  const ready = isPublished ? await prepare(dependencies, file, same?.edit.id, written) : undefined;
  return imports.withFile(file, async (tx) => {
    const result = await writeFile(postStoresOn(tx), file, seen, written, ready, clock());
    if (hasMissing) return awaitOthers(post, result, missing);
    await noteCurrentTranslations(tx, file, result);
    return result;
  });
}

/**
 * The post with its data as it is stored, and those values that refer to posts that are not there. A new post without
 * some of its data stays a draft.
 * @param blogId of the post that it updates
 */
async function withReadData(
  { blogs, dataFields }: Pick<ImportFileDependencies, 'blogs' | 'dataFields'>,
  projectId: string,
  post: ImportPost,
  blogId: string | undefined,
): Promise<{ readonly post: ImportPost; readonly missing: PostData }> {
  const given = post.request.data;
  if (given === undefined) return { post, missing: {} };
  const there = blogId === undefined ? null : await blogs.find(projectId, blogId);
  const stored = extras.of(there?.extra).data;
  const { data, missing, notes, hasSkipped } = await readImportedData({ blogs, dataFields }, projectId, given, stored);
  const request = { ...post.request, data: data as typeof given };
  const isHeld = hasSkipped && blogId === undefined && !post.isDraft;
  const held = isHeld ? ['Kept as a draft: it lacks the skipped data.'] : [];
  const read = { ...post, request, isDraft: post.isDraft || isHeld, notes: [...post.notes, ...notes, ...held] };
  return { post: read, missing };
}

/** Prepares the publish of the blog that the file will be written to; a new one without `blogId`. */
async function prepare(
  { blogs, publishing }: Pick<ImportFileDependencies, 'blogs' | 'publishing'>,
  { projectId, post: { request } }: WaitingPost,
  blogId: string | undefined,
  written: WrittenContent,
): Promise<ReadyContent | undefined> {
  const there = blogId === undefined ? null : await blogs.find(projectId, blogId);
  const draft = there ? { ...there, ...draftChanges(request, written) } : newDraft(request, written);
  return publishing.prepareUnwritten({ ...draft, projectId, imageHashes: hashesOf(projectId, draft) });
}

/** The post as it is written, its images taken over from other hosts where that is asked for. */
async function readImages(
  dependencies: ImportFileDependencies,
  { projectId, requestedBy: createdBy, hostImages }: WaitingPost,
  post: ImportPost,
): Promise<{ readonly post: ImportPost; readonly written: WrittenContent }> {
  const { contentWork, imageBaseUrl } = dependencies;
  const clean = async (request: ImportPost['request']) => {
    checkTitle(request.title);
    return contentWork.clean(projectId, request);
  };
  if (!hostImages) {
    const kept = dropDataImages(post);
    return { post: kept, written: await orFileRefused(clean(kept.request)) };
  }
  const written = await orFileRefused(clean(post.request));
  const { featured_image_url: hero, generated_images: generatedImages = [] } = post.request;
  const featured = { featuredImageUrl: hero ?? null, featuredImageAlt: post.heroAlt };
  const shown = { content: written.content ?? '', ...featured, generatedImages, extra: post.request };
  const links = hotLinksOf(shown, `${imageBaseUrl}/${projectId}/`);
  const hasDataImages = (post.dataImages ?? []).length > 0;
  if (links.length === 0 && !hasDataImages) return { post, written };
  const by = { projectId, createdBy };
  const kept = await keepDataImages(dependencies, by, post, links);
  const others = links.filter((link) => !isDataImage(link));
  const hosted = withHostedImages(kept, await fetchHotLinks(dependencies, by, others, IMPORT_HOSTING_LIMITS));
  return { post: hosted, written: await orFileRefused(clean(hosted.request)) };
}

const NOTHING_THERE: Standing = { holder: null, origins: [] };
const NO_PATHS: ReadonlySet<string> = new Set();

const importedPost = ({ post, path }: Pick<WaitingPost, 'post' | 'path'>): ImportedPost => ({
  ...post,
  path,
  title: post.request.title,
});

/** @param written null for a file that was to be skipped. */
async function writeFile(
  { authors, blogs, publishing }: PostStores,
  { projectId, requestedBy, publish, existing, hostImages, post, path }: WaitingPost,
  seen: Standing,
  written: WrittenContent | null,
  ready: ReadyContent | undefined,
  now: Date,
): Promise<FileResult> {
  const notes = [...post.notes, ...(post.heroAlt && !hostImages ? [HERO_ALT_LOST] : [])];
  const holder = await blogs.findBySlug(projectId, post.slug);
  const paths = holder?.id === seen.holder?.id ? seen.holder?.paths : NO_PATHS;
  const standing = { ...seen, holder: holder && { ...holder, paths: paths ?? NO_PATHS } };
  const same = findSamePost(importedPost({ post, path }), standing, existing);
  if (same !== null && 'left' in same) {
    const { status, message, blogId } = same.left;
    if (status === 'failed') throw new FileRefused(message);
    return { status, message, blogId };
  }
  if (written === null) throw new FileConflict();
  const there = same && (await blogOfFile(blogs, projectId, same.edit));
  if (same !== null && same.note !== null) notes.push(same.note);
  const isLive = there?.state === 'published';
  // Readers have it already: it cannot be dated ahead.
  const isDateKept = post.date === null || !isLive || new Date(post.date) <= now;
  if (!isDateKept) notes.push('Already published here, so its future date was ignored.');
  const dated = post.date === null || !isDateKept ? post.request : { ...post.request, published_at: post.date };
  const named = post.authors && matchAuthors(await authors.all(projectId), post.authors);
  if (named?.note) notes.push(named.note);
  // Where nobody is known, the post keeps the authors that it has here.
  const isKept = named === undefined || (named.slugs.length === 0 && named.note !== null);
  const request = isKept ? dated : { ...dated, authors: [...named.slugs] };
  const isPublished = publish && !post.isDraft;
  if (isPublished) await publishing.lockQuotas(projectId);
  const made = there
    ? await blogs.edit(projectId, there.id, draftChanges(request, written), undefined)
    : await orFileRefused(blogs.create(projectId, newDraft(request, written), { slug: post.slug }));
  if (isSlugRefused(made) && (await blogs.findBySlug(projectId, post.slug))) throw new FileConflict();
  const blog = blogOf(made);

  if (post.isDraft && isLive) notes.push('Marked as a draft, but stays published.');
  if (isPublished) notes.push(...(await publishBlog(publishing, { projectId, requestedBy }, blog, ready)));
  const message = notes.length > 0 ? notes.join(' ') : null;
  return { status: there ? 'updated' : 'created', message, blogId: blog.id, slug: post.slug };
}

async function blogOfFile(blogs: PostStores['blogs'], projectId: string, { id }: StandingBlog): Promise<Blog> {
  const blog = await blogs.find(projectId, id);
  if (blog === null) throw new FileConflict();
  return blog;
}
