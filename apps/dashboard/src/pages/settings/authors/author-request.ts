import { ApiError } from '../../../api/api-error.ts';
import type { Author, AuthorUpdateRequest } from '../../../generated/types.gen.ts';
import { linesOf } from '../../../parts/forms/lines-of.ts';
import { authors as text } from '../../../strings/writing/authors.ts';

/** The fields of the form of an author, as typed. */
export interface AuthorForm {
  readonly name: string;
  readonly slug: string;
  readonly bio: string;
  /** Empty for none. */
  readonly avatar_url: string;
  /** One per line: a label, then the URL. */
  readonly links: string;
  /** One URL per line. */
  readonly same_as: string;
  readonly email: string;
  /** Empty for nobody. */
  readonly account_id: string;
}

export const emptyForm: AuthorForm = {
  name: '',
  slug: '',
  bio: '',
  avatar_url: '',
  links: '',
  same_as: '',
  email: '',
  account_id: '',
};

export const formOf = (author: Author): AuthorForm => ({
  name: author.name,
  slug: author.slug,
  bio: author.bio ?? '',
  avatar_url: author.avatar_url ?? '',
  links: author.links.map(({ label, url }) => (label === url ? url : `${label} ${url}`)).join('\n'),
  same_as: author.same_as.join('\n'),
  email: author.email ?? '',
  account_id: author.account_id ?? '',
});

/** The request that saves a form. An empty slug is left out, so that a new author gets one from the name. */
export function requestOf(form: AuthorForm): AuthorUpdateRequest & { readonly name: string } {
  const slug = form.slug.trim();
  return {
    name: form.name.trim(),
    ...(slug !== '' && { slug }),
    bio: form.bio.trim() || null,
    avatar_url: form.avatar_url || null,
    links: linesOf(form.links).map(linkOf),
    same_as: linesOf(form.same_as),
    email: form.email.trim() || null,
    account_id: form.account_id || null,
  };
}

/** The last word is the URL. A line of one word has no label, so the URL is its own. */
function linkOf(line: string): { label: string; url: string } {
  const [, label = line, url = line] = /^(.*\S)\s+(\S+)$/.exec(line) ?? [];
  return { label, url };
}

/** A clash with another author as the refusal of the field that it is about; every other error as it is. */
export function clashAtField(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 409 || error.problem === null) return error;
  const { detail = '' } = error.problem;
  const refusals = [
    { field: 'slug', message: text.slugTaken, is: detail.startsWith('Another author has or had this slug.') },
    { field: 'account_id', message: text.memberTaken, is: detail.startsWith('This member is already an author') },
  ].filter(({ is }) => is);
  if (refusals.length === 0) return error;
  return new ApiError(422, { ...error.problem, errors: refusals.map(({ field, message }) => ({ field, message })) });
}
