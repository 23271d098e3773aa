import { withoutPlaceholders } from '@blog-content/link-resolver';
import {
  authorCreateRequest,
  authorUpdateRequest,
  type author,
  type AuthorUpdateRequest,
} from '@blog-content/payload-schemas';
import {
  conflict,
  notFound,
  parseBody,
  readId,
  readPage,
  storableText,
  toPage,
  unprocessable,
} from '@blog-content/service-runtime';
import { Router } from 'express';
import type { z } from 'zod';
import { slugOf } from '../content/slugify.ts';
import { callerOf } from '../platform/http/caller.ts';
import { checkGivenUrls } from '../platform/http/check-given-urls.ts';
import type { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../platform/idempotency/idempotent.ts';
import { MAX_AUTHORS, MAX_AUTHORS_BYTES } from './author-limits.ts';
import { authorStateOf } from '../projects/project-change-store.ts';
import type { Author, AuthorFields, AuthorRefusal, AuthorStore } from './author-store.ts';

export interface AuthorRoutesDependencies {
  readonly authors: Omit<AuthorStore, 'create'>;
  readonly idempotency: IdempotencyStore<{ readonly authors: Pick<AuthorStore, 'create'> }>;
}

/** The slug for a name that has no letter or digit to write in ASCII. */
const FALLBACK_SLUG = 'author';

/** `/authors` of a project, for its members. */
export function createAuthorRoutes({ authors, idempotency }: AuthorRoutesDependencies): Router {
  const routes = createAuthorListRoutes({ authors });

  routes.post(
    '/',
    idempotent(idempotency, callerOf, async (req, res, stores) => {
      const request = parseBody(authorCreateRequest, req.body);
      const { name, slug = slugOf(name) ?? FALLBACK_SLUG } = request;
      const fields = { ...fieldsOf({ ...request, slug }), name: checkName(name) } as AuthorFields;
      const created = await stores.authors.create(callerOf(res), fields, request.slug !== undefined);
      return { status: 201, body: showAuthor(unlessRefused(created)) };
    }),
  );

  routes.get('/:authorId', async (req, res) => {
    const found = await authors.find(callerOf(res).projectId, readAuthorId(req.params.authorId));
    if (!found) throw noAuthor();
    res.json(showAuthor(found));
  });

  routes.patch('/:authorId', async (req, res) => {
    const id = readAuthorId(req.params.authorId);
    const changes = fieldsOf(parseBody(authorUpdateRequest, req.body));
    res.json(showAuthor(unlessRefused(await authors.change(callerOf(res), id, changes))));
  });

  routes.delete('/:authorId', async (req, res) => {
    unlessRefused(await authors.delete(callerOf(res), readAuthorId(req.params.authorId)));
    res.status(204).end();
  });
  return routes;
}

/** The list of them, for agents too. */
export function createAuthorListRoutes({ authors }: { readonly authors: Pick<AuthorStore, 'list'> }): Router {
  const routes = Router({ mergeParams: true });
  routes.get('/', async (req, res) => {
    const page = readPage(req.query);
    res.json(toPage(await authors.list(callerOf(res).projectId, page), page.limit, showAuthor));
  });
  return routes;
}

const readAuthorId = (value: unknown): string => readId(value, 'author');
const noAuthor = () => notFound('Author not found.');

/** What a request changes. Readers see all of it, so nothing has a link placeholder. */
function fieldsOf(request: AuthorUpdateRequest): Partial<AuthorFields> {
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
  const name = publicText(given);
  if (name !== '') return name;
  throw unprocessable([{ field: 'name', message: 'must have text besides link placeholders ([INTERNAL:…])' }]);
}

function unlessRefused(result: Author | AuthorRefusal): Author {
  if (typeof result === 'object') return result;
  switch (result) {
    case 'not_found':
      throw noAuthor();
    case 'slug_taken':
      throw conflict('Another author has or had this slug. Choose a different `slug`.');
    case 'member_taken':
      throw conflict('This member is already an author of the project.');
    case 'no_member':
      throw unprocessable([{ field: 'account_id', message: 'must be a member of the project' }]);
    case 'too_many':
      throw conflict(`Limit reached: ${MAX_AUTHORS} authors per project. Delete one first.`);
    case 'too_large':
      throw conflict(
        `Limit reached: the authors of a project take at most ${MAX_AUTHORS_BYTES / 1024} kB. Shorten bios or remove links.`,
      );
  }
}

export function showAuthor(row: Author): z.infer<typeof author> {
  const { id, accountId, createdAt } = row;
  const { slug, name, bio, avatar_url, links, same_as, former_slugs, email } = authorStateOf(row);
  return {
    id,
    slug,
    name,
    bio,
    avatar_url,
    links,
    same_as,
    former_slugs,
    email,
    account_id: accountId,
    created_at: createdAt.toISOString(),
  };
}
