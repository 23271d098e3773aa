import { extras, type BlogUpdateRequest, type PostData } from '@blog-content/payload-schemas';
import { notesOnMissing, readImportedData } from '../../data/check-given-data.ts';
import type { DataFieldStore } from '../../../data-fields/data-field-store.ts';
import type { Transaction } from '../../../platform/database/open-database.ts';
import type { PublishStore } from '../../publishing/publish-store.ts';
import type { BlogStore } from '../../writing/blog-store.ts';
import { draftChanges } from '../../writing/draft.ts';
import { hashesOf } from '../../writing/working-copy-store.ts';
import type { BroughtPost, ImportPost } from '../archive/planned-file.ts';
import { blogOf, FileConflict, FileRefused, orFileRefused, publishBlog } from './file-refused.ts';
import { noteCurrentTranslations } from './import-file-store.ts';
import type { FileResult, ImportStore, WaitingPost } from './import-store.ts';

export interface ImportReferencesDependencies {
  readonly imports: Pick<ImportStore, 'withFile'>;
  readonly blogs: Pick<BlogStore, 'find' | 'findBySlug'>;
  readonly dataFields: Pick<DataFieldStore, 'find'>;
  readonly publishing: Pick<PublishStore, 'prepareUnwritten'>;
  readonly postStoresOn: (tx: Transaction) => {
    readonly blogs: Pick<BlogStore, 'edit'>;
    readonly publishing: Pick<PublishStore, 'publish' | 'lockQuotas'>;
  };
}

type BroughtFile = WaitingPost & { readonly post: ImportPost & { readonly brought: BroughtPost } };
export const isBrought = (file: WaitingPost): file is BroughtFile => file.post.brought !== undefined;

/** Keeps the file of a post waiting for the other posts of the import: its data refers to some that don't exist yet. */
export function awaitOthers(post: ImportPost, result: FileResult, missing: PostData): FileResult {
  const { blogId, status, message } = result;
  if (blogId === null || (status !== 'created' && status !== 'updated')) return result;
  const { slug, request, isDraft, currentTranslations } = post;
  const kept = { slug, request: { title: request.title }, isDraft, currentTranslations, date: null };
  const notes = message === null ? [] : [message];
  return { ...result, status: 'waiting', post: { ...kept, notes, brought: { blogId, status, missing } } };
}

/** Fills in the references of a post that the import created or updated earlier, and publishes it if asked to. */
export async function importReferences(
  { imports, blogs, dataFields, publishing, postStoresOn }: ImportReferencesDependencies,
  file: BroughtFile,
): Promise<FileResult | null> {
  const { projectId, publish, post } = file;
  const { blogId, status, missing: awaited } = post.brought;
  const there = await blogs.find(projectId, blogId);
  if (there === null) throw new FileRefused('The post was deleted during the import.');
  const stored = extras.of(there.extra).data;
  // What somebody has changed meanwhile stays.
  const given = Object.fromEntries(Object.entries(awaited).filter(([name, slug]) => stored[name] === slug));
  const others = Object.fromEntries(Object.entries(stored).filter(([name]) => !(name in given)));
  const { data, missing } = await orFileRefused(readImportedData({ blogs, dataFields }, projectId, given, others));
  const changes = draftChanges({ data: data as BlogUpdateRequest['data'] }, {});
  const draft = { ...there, ...changes };
  const isPublished = publish && !post.isDraft;
  const ready = isPublished
    ? await publishing.prepareUnwritten({ ...draft, projectId, imageHashes: hashesOf(projectId, draft) })
    : undefined;
  return imports.withFile(file, async (tx) => {
    const stores = postStoresOn(tx);
    if (isPublished) await stores.publishing.lockQuotas(projectId);
    const isUnchanged = (version: number) => version === there.version;
    const made = await stores.blogs.edit(projectId, blogId, changes, undefined, isUnchanged);
    if (made === 'changed') throw new FileConflict();
    const blog = blogOf(made);
    const notes = [...post.notes, ...notesOnMissing(missing)];
    if (isPublished) notes.push(...(await publishBlog(stores.publishing, file, blog, ready)));
    const result = { status, message: notes.length > 0 ? notes.join(' ') : null, blogId, slug: post.slug };
    await noteCurrentTranslations(tx, file, result);
    return result;
  });
}
