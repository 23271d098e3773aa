import { randomUUID } from 'node:crypto';
import { type Response, Router } from 'express';
import {
  hasProvidersAddress,
  integrationCreateRequest,
  type IntegrationKind,
  integrationUpdateRequest,
} from '@blog-content/payload-schemas';
import {
  conflict,
  isStorableText,
  methodNotAllowed,
  notFound,
  parseBody,
  readId,
  readPage,
  requireProjectOwner,
  toPage,
  unprocessable,
} from '@blog-content/service-runtime';
import { withoutTrailingSlashes } from '@blog-content/link-resolver';
import type { UrlGuard } from '@blog-content/url-guard';
import { projectIdOf } from '../project-id-of.ts';
import { checkParts, partsOf } from './integration-parts.ts';
import { checkHeaders, type CustomHeaders, sentHeaders } from './custom-headers.ts';
import type { IntegrationSecrets } from './integration-secrets.ts';
import type { IntegrationChanges, IntegrationStore, StoredIntegration } from './integration-store.ts';
import { showIntegration } from './show-integration.ts';

/** Most receivers of one project. */
const MAX_INTEGRATIONS = 100;

export interface IntegrationRoutesDependencies {
  readonly integrations: IntegrationStore;
  readonly secrets: IntegrationSecrets;
  readonly urlGuard: Pick<UrlGuard, 'check'>;
}

/**
 * `/projects/:projectId/webhooks`: the receivers of a project (contract §1.4, §4.4, §5.2, §7.2). Comes after
 * `requireProjectMember`: editors see them without what may be a credential, and only owners change them.
 */
export function createIntegrationRoutes({ integrations, secrets, urlGuard }: IntegrationRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });
  const showTo = (response: Response) => (stored: StoredIntegration) => {
    const opened = secrets.open(stored.id, { ...stored, sealedSecret: null });
    return showIntegration(stored, opened, response.locals.role ?? 'editor');
  };

  /** Resolves to the URL as it is kept, if one is given. */
  const checkRequest = async (request: CheckedParts, kind: IntegrationKind): Promise<string | undefined> => {
    const errors = checkHeaders('headers' in request ? (request.headers ?? {}) : {});
    for (const field of ['name', 'secret'] as const) {
      if (!isStorableText(request[field] ?? ''))
        errors.push({ field, message: 'must not contain NUL or invalid characters' });
    }
    const isChecked = request.url !== undefined && !hasProvidersAddress(kind);
    const verdict = isChecked ? await urlGuard.check(request.url) : undefined;
    if (verdict?.ok === false) errors.push({ field: 'url', message: verdict.detail });
    if (errors.length > 0) throw unprocessable(errors);
    return verdict?.ok === true ? verdict.url.href : request.url;
  };

  routes.get('/', async (req, res) => {
    const { from, limit } = readPage(req.query);
    const found = await integrations.list(projectIdOf(req.params), from, limit + 1);
    res.json(toPage(found, limit, showTo(res)));
  });

  routes.post('/', requireProjectOwner, async (req, res) => {
    const request = parseBody(integrationCreateRequest, req.body);
    const url = await checkRequest(request, request.kind ?? 'webhook');
    const id = randomUUID();
    const projectId = projectIdOf(req.params);
    const created = await integrations.create(
      {
        id,
        projectId,
        name: request.name,
        ...secrets.sealUrl(id, url ?? request.url),
        active: request.active,
        healLinks: request.heal_links,
        retryManual: request.retry_manual,
        ...partsOf(request),
        sealedSecret: secrets.sealSecret(id, request.secret),
        sealedHeaders: secrets.sealHeaders(id, 'headers' in request ? sentHeaders(request.headers) : {}),
      },
      MAX_INTEGRATIONS,
    );
    if (created.kind === 'project_gone') throw notFound('Project not found.');
    if (created.kind === 'too_many') {
      throw conflict(`Limit reached: ${MAX_INTEGRATIONS} integrations per project.`);
    }
    res.status(201).location(`${req.baseUrl}/${id}`).json(showTo(res)(created.integration));
  });

  routes.get('/:integrationId', async (req, res) => {
    const found = await integrations.find(projectIdOf(req.params), readId(req.params.integrationId, 'integration'));
    if (found === null) throw notFound('Integration not found.');
    res.json(showTo(res)(found));
  });

  routes.patch('/:integrationId', requireProjectOwner, async (req, res) => {
    const id = readId(req.params.integrationId, 'integration');
    const request = parseBody(integrationUpdateRequest, req.body);
    const found = await integrations.find(projectIdOf(req.params), id);
    if (found === null) throw notFound('Integration not found.');
    const {
      url: givenUrl,
      name,
      secret,
      headers,
      ...given
    } = {
      ...request,
      ...checkParts(found.integrationKind, request),
    };
    const url = await checkRequest({ url: givenUrl, name, secret, headers }, found.integrationKind);
    const { active, heal_links: healLinks, retry_manual: retryManual, ...rest } = given;
    const { standard_webhooks: standardWebhooks, settings, ...others } = rest;
    // A field that a request may have and that changes nothing does not compile.
    others satisfies Record<string, never>;
    const changes: IntegrationChanges = {
      ...(name !== undefined && { name }),
      ...(url !== undefined && secrets.sealUrl(id, url)),
      ...(active !== undefined && { active }),
      ...(healLinks !== undefined && { healLinks }),
      ...(retryManual !== undefined && { retryManual }),
      ...(standardWebhooks !== undefined && { standardWebhooks }),
      ...(settings !== undefined && { settings }),
      // A new secret signs from the next request on (contract §5.2.8).
      ...(secret !== undefined && { sealedSecret: secrets.sealSecret(id, secret) }),
      ...(headers !== undefined && { sealedHeaders: secrets.sealHeaders(id, sentHeaders(headers)) }),
    };
    const hasMoved = url !== undefined && !isSameAddress(url, secrets.open(id, { ...found, sealedSecret: null }).url);
    const updated = await integrations.update(projectIdOf(req.params), id, { ...changes, hasMoved });
    if (updated === null) throw notFound('Integration not found.');
    res.json(showTo(res)(updated));
  });

  routes.delete('/:integrationId', requireProjectOwner, async (req, res) => {
    const wasThere = await integrations.remove(
      projectIdOf(req.params),
      readId(req.params.integrationId, 'integration'),
    );
    if (!wasThere) throw notFound('Integration not found.');
    res.status(204).end();
  });

  routes.all('/', methodNotAllowed('GET', 'HEAD', 'POST'));
  routes.all('/:integrationId', methodNotAllowed('GET', 'HEAD', 'PATCH', 'DELETE'));
  return routes;
}

const isSameAddress = (one: string, other: string): boolean =>
  withoutTrailingSlashes(one) === withoutTrailingSlashes(other);

interface CheckedParts {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly secret?: string | null | undefined;
  readonly headers?: CustomHeaders | undefined;
}
