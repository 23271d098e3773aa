import type { AuthorCreateRequest, BlogCreateRequest, DataField, PostData } from '@blog-content/payload-schemas';
import type { NamedAuthor } from '../../../authors/match-authors.ts';
import type { CurrentTranslation } from '../portable/original-post.ts';
import type { DataImage } from '../posts/data-images.ts';
import type { SameBy } from '../posts/post-slug.ts';
import type { PathImage } from '../posts/rewrite-links.ts';
import { MAX_MESSAGE } from '../problem-text.ts';

/** A post that is to become a blog; survives JSON. */
export interface ImportPost {
  readonly slug: string;
  /** Not of posts that have waited since before it was kept: then the slug. */
  readonly sameBy?: SameBy | undefined;
  readonly request: BlogCreateRequest;
  readonly isDraft: boolean;
  /** Not of posts that have waited since before it was kept. */
  readonly heroAlt?: string | null | undefined;
  /** Who wrote it, in order. Not of posts whose file doesn't say. */
  readonly authors?: readonly NamedAuthor[] | undefined;
  /** Images that stood in the file. Not of posts that have waited since before they were kept. */
  readonly dataImages?: readonly DataImage[] | undefined;
  /** Images of the archive that the post shows by path. Not of posts that have waited since before they were kept. */
  readonly pathImages?: readonly PathImage[] | undefined;
  /** From an export. Not of posts that have waited since before they were kept. */
  readonly currentTranslations?: readonly CurrentTranslation[] | undefined;
  /** The publication date, in ISO 8601, which may be in the future; null when the file says none. */
  readonly date: string | null;
  /** Set once the post exists, and waits for those that it refers to. */
  readonly brought?: BroughtPost | undefined;
  /** What of the file was left out, in full sentences. */
  readonly notes: readonly string[];
}

/** The post that an import made of a file, whose references wait for later posts. */
export interface BroughtPost {
  readonly blogId: string;
  readonly status: 'created' | 'updated';
  /** The slugs of those posts, by the names of the data fields. */
  readonly missing: PostData;
}

/** An image that is to be in the library; survives JSON. */
export interface ImportImage {
  /** Its bytes, in base64. */
  readonly image: string;
  readonly alt: string;
  readonly name: string;
}

/** An author who is to be in the project; survives JSON. */
export interface ImportAuthor {
  readonly author: AuthorCreateRequest;
}

/** Data fields that the project is to have; survives JSON. */
export interface ImportDataFields {
  readonly dataFields: readonly DataField[];
}

/** What is to become of one file of an archive, or of some that are not imported. */
export type PlannedFile = { readonly path: string } & (
  | { readonly status: 'waiting'; readonly post: ImportPost | ImportImage | ImportAuthor | ImportDataFields }
  | { readonly status: 'skipped' | 'failed'; readonly message: string }
);

export const failed = (path: string, problem: string): PlannedFile => ({
  path,
  status: 'failed',
  message: `The file ${problem}.`.slice(0, MAX_MESSAGE).toWellFormed(),
});

export const skipped = (path: string, message: string): PlannedFile => ({ path, status: 'skipped', message });
