import { whyNothingShows, withoutPlaceholders } from '@blog-content/link-resolver';
import type { AuthorCreateRequest, AuthorUpdateRequest } from '@blog-content/payload-schemas';
import { storableText, unprocessable } from '@blog-content/service-runtime';
import { slugOf } from '../content/slugify.ts';
import { checkGivenUrls } from '../platform/http/check-given-urls.ts';
import type { AuthorFields } from './author-store.ts';

/** The slug for a name that has no letter or digit to write in ASCII. */
const FALLBACK_SLUG = 'author';

/** What a new author gets; the slug is made from the name where none is given. @throws a 422 problem */
export function newAuthor(request: AuthorCreateRequest): AuthorFields {
  const { name, slug = slugOf(name) ?? FALLBACK_SLUG } = request;
  return { ...fieldsOf({ ...request, slug }), name: checkName(name) } as AuthorFields;
}

/** What a request changes. Readers see all of it, so nothing has a link placeholder. @throws a 422 problem */
export function fieldsOf(request: AuthorUpdateRequest): Partial<AuthorFields> {
  const { name, slug, bio, avatar_url: avatarUrl, links, same_as: sameAs, email, account_id: accountId } = request;
  checkGivenUrls({
    avatar_url: avatarUrl,
    ...Object.fromEntries((links ?? []).map(({ url }, index) => [`links.${index}.url`, url])),
    ...Object.fromEntries((sameAs ?? []).map((url, index) => [`same_as.${index}`, url])),
  });
  return {
    ...(name !== undefined && { name: checkName(name) }),
    ...(slug !== undefined && { slug }),
    ...(bio !== undefined && { bio: publicText(bio ?? '') || null }),
    ...(avatarUrl !== undefined && { avatarUrl }),
    ...(links && { links: links.map(({ label, url }) => ({ label: publicText(label) || url, url })) }),
    ...(sameAs && { sameAs: [...new Set(sameAs)] }),
    ...(email !== undefined && { email: email?.toLowerCase() ?? null }),
    ...(accountId !== undefined && { accountId }),
  };
}

const publicText = (text: string): string => withoutPlaceholders(storableText(text)).trim();

/** @throws a 422 problem for a name of which nothing would be public. */
function checkName(given: string): string {
  const message = whyNothingShows(given);
  if (message !== null) throw unprocessable([{ field: 'name', message }]);
  return publicText(given);
}
