import { newAuthor } from '../../../authors/author-fields.ts';
import type { Author, AuthorStore } from '../../../authors/author-store.ts';
import { sameAuthor } from '../../../authors/match-authors.ts';
import { unlessRefused } from '../../../authors/unless-refused.ts';
import { imageUrl } from '../../../images/image-urls.ts';
import { fetchHotLinks, hostedUrls, type HostImagesDependencies } from '../../hosting/host-images.ts';
import type { ImportAuthor, PlannedFile } from '../archive/plan-import.ts';
import { EXPORTED_IMAGES } from '../portable/portable-images.ts';
import { FileRefused, orFileRefused } from './file-refused.ts';
import { hashesIn, withStoredImages } from './imported-images.ts';
import type { FileResult, ImportStore, WaitingFile } from './import-store.ts';

export interface ImportAuthorDependencies extends HostImagesDependencies {
  readonly imports: Pick<ImportStore, 'withFile' | 'imagesByHash'>;
  readonly authors: Pick<AuthorStore, 'findOrCreate'>;
}

const NO_MEMBER = 'Not created: the account that started the import is no longer a member of the project.';

export type WaitingAuthor = WaitingFile & { readonly post: ImportAuthor };
export const isAuthor = (file: WaitingFile): file is WaitingAuthor => 'author' in file.post;

/** The files of a plan without the authors that the project has. */
export async function* withoutKnownAuthors(
  files: AsyncIterable<PlannedFile>,
  known: readonly Author[],
): AsyncGenerator<PlannedFile> {
  for await (const file of files) {
    const isKnown =
      file.status === 'waiting' && 'author' in file.post && sameAuthor(known, file.post.author) !== undefined;
    if (!isKnown) yield file;
  }
}

/**
 * Makes an author, whose email address tells nobody but members who it is, and no account. The author is there before
 * the file's transaction begins: it is the same one, however often that is tried.
 */
export async function importAuthor(
  dependencies: ImportAuthorDependencies,
  file: WaitingAuthor,
): Promise<FileResult | null> {
  const { authors, imports } = dependencies;
  const { projectId, requestedBy: id, post } = file;
  const { avatar, note } = await readAvatar(dependencies, file);
  const create = async () => {
    const made = await authors.findOrCreate({ projectId, id }, newAuthor({ ...post.author, avatar_url: avatar }));
    if (made === 'not_found') throw new FileRefused(NO_MEMBER);
    unlessRefused(made);
  };
  await orFileRefused(create());
  return imports.withFile(file, () => Promise.resolve({ status: 'created', message: note, blogId: null }));
}

/** Where the author's picture is now: in the library, if the archive has it there or images are to be copied. */
async function readAvatar(
  dependencies: ImportAuthorDependencies,
  file: WaitingAuthor,
): Promise<{ readonly avatar: string | null; readonly note: string | null }> {
  const { imports, imageBaseUrl } = dependencies;
  const { projectId, requestedBy: createdBy, hostImages, post } = file;
  const given = post.author.avatar_url;
  if (given === null) return { avatar: null, note: null };
  const library = await imports.imagesByHash(file, hashesIn(given));
  const url = withStoredImages(given, library, (image) => imageUrl(imageBaseUrl, image));
  if (url.startsWith(EXPORTED_IMAGES)) return { avatar: null, note: 'The picture is missing from the archive.' };
  if (!hostImages || url.startsWith(`${imageBaseUrl}/${projectId}/`)) return { avatar: url, note: null };
  const limits = { images: 1, timeMs: 15_000 };
  const outcomes = await fetchHotLinks(dependencies, { projectId, createdBy }, [{ url, alt: '' }], limits);
  const [outcome] = outcomes;
  const note =
    outcome !== undefined && 'reason' in outcome ? `The picture was not copied: it ${outcome.reason}.` : null;
  return { avatar: hostedUrls(outcomes).get(url) ?? url, note };
}
