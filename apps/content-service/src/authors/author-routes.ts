import { authorCreateRequest, authorUpdateRequest, type author } from '@blog-content/payload-schemas';
import { parseBody, readId, readPage, toPage } from '@blog-content/service-runtime';
import { Router } from 'express';
import type { z } from 'zod';
import { callerOf } from '../platform/http/caller.ts';
import type { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../platform/idempotency/idempotent.ts';
import { authorStateOf } from '../projects/project-change-store.ts';
import { fieldsOf, newAuthor } from './author-fields.ts';
import type { Author, AuthorStore } from './author-store.ts';
import { noAuthor, unlessRefused } from './unless-refused.ts';

export interface AuthorRoutesDependencies {
  readonly authors: Omit<AuthorStore, 'create'>;
  readonly idempotency: IdempotencyStore<{ readonly authors: Pick<AuthorStore, 'create'> }>;
}

/** `/authors` of a project, for its members. */
export function createAuthorRoutes({ authors, idempotency }: AuthorRoutesDependencies): Router {
  const routes = createAuthorListRoutes({ authors });

  routes.post(
    '/',
    idempotent(idempotency, callerOf, async (req, res, stores) => {
      const request = parseBody(authorCreateRequest, req.body);
      const created = await stores.authors.create(callerOf(res), newAuthor(request), request.slug !== undefined);
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

/** Lists them, for agents too. */
export function createAuthorListRoutes({ authors }: { readonly authors: Pick<AuthorStore, 'list'> }): Router {
  const routes = Router({ mergeParams: true });
  routes.get('/', async (req, res) => {
    const page = readPage(req.query);
    res.json(toPage(await authors.list(callerOf(res).projectId, page), page.limit, showAuthor));
  });
  return routes;
}

const readAuthorId = (value: unknown): string => readId(value, 'author');

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
