import { authorCreateRequest, type AuthorCreateRequest } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import { MAX_AUTHORS } from '../../../authors/author-limits.ts';
import type { NamedAuthor } from '../../../authors/match-authors.ts';
import { slugOf } from '../../../content/slugify.ts';
import { withExportedImages } from '../portable/portable-images.ts';
import type { Archive } from './open-archive.ts';
import { parseLines } from './parse-lines.ts';
import { failed, type PlannedFile } from './planned-file.ts';

/** The accounts of another installation are not those of this one. */
const authorLine: z.ZodType<AuthorCreateRequest> = authorCreateRequest.transform((author) => ({
  ...author,
  account_id: null,
}));

/** Plans the authors of an export. @param told gets them. */
export async function* planAuthors({ authorData }: Archive, told: AuthorCreateRequest[]): AsyncGenerator<PlannedFile> {
  if (authorData === null) return;
  const read = await authorData.read();
  if ('unreadable' in read) {
    yield failed(authorData.path, read.unreadable);
    return;
  }
  const lines = parseLines(withExportedImages(read.text), authorLine);
  told.push(...lines.flatMap((author) => author ?? []).slice(0, MAX_AUTHORS));
  for (const author of told) yield { path: pathOf(author), status: 'waiting', post: { author } };
  const unreadable = lines.flatMap((author, index) => (author === null ? [index + 1] : []));
  if (unreadable.length > 0)
    yield failed(authorData.path, `has no author in line ${unreadable.slice(0, 10).join(', ')}`);
  if (lines.length > MAX_AUTHORS)
    yield failed(authorData.path, `has more than ${MAX_AUTHORS} authors: the others are left out`);
}

/** What a report calls an author. */
const pathOf = ({ slug, name }: AuthorCreateRequest): string => `authors/${slug ?? slugOf(name) ?? 'author'}`;

/** An author of a post, with the address that the export has of them. */
export function withAddress(named: NamedAuthor, told: readonly AuthorCreateRequest[]): NamedAuthor {
  const { name } = named;
  const found = told.find(({ slug }) => slug === name) ?? told.find((author) => author.name === name);
  return found?.email == null ? named : { ...named, email: found.email };
}
