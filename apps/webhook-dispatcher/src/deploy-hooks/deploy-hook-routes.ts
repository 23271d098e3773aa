import { Router } from 'express';
import { deployHookRequest } from '@blog-content/payload-schemas';
import {
  methodNotAllowed,
  notFound,
  parseBody,
  readPage,
  requireProjectOwner,
  toPage,
  unprocessable,
} from '@blog-content/service-runtime';
import type { UrlGuard } from '@blog-content/url-guard';
import { projectIdOf } from '../project-id-of.ts';
import { checkHook } from './settings/check-hook.ts';
import type { HookSecrets } from './settings/hook-secrets.ts';
import type { HookStore } from './settings/hook-store.ts';
import type { RequestLogStore } from './request-log-store.ts';
import { showHook } from './settings/show-hook.ts';
import type { TestHook } from './test-hook.ts';

export interface DeployHookRoutesDependencies {
  readonly hooks: Pick<HookStore, 'find' | 'save' | 'remove'>;
  readonly hookSecrets: HookSecrets;
  readonly hookRequests: RequestLogStore;
  readonly testHook: TestHook;
  readonly urlGuard: Pick<UrlGuard, 'check'>;
}

const noHook = () => notFound('This project has no deploy hook.');

/**
 * `/projects/:projectId/deploy-hook`: the deploy hook of a project (contract §1.7, §4.5, §6.8). Comes
 * after `requireProjectMember`: members see it, and only owners change and test it.
 */
export function createDeployHookRoutes(dependencies: DeployHookRoutesDependencies): Router {
  const { hooks, hookSecrets, hookRequests, testHook, urlGuard } = dependencies;
  const routes = Router({ mergeParams: true });

  routes.get('/', async (req, res) => {
    const projectId = projectIdOf(req.params);
    const stored = await hooks.find(projectId);
    if (stored === null) throw noHook();
    res.json(showHook(stored, hookSecrets.open(projectId, stored), res.locals.role ?? 'editor'));
  });

  routes.put('/', requireProjectOwner, async (req, res) => {
    const projectId = projectIdOf(req.params);
    const request = parseBody(deployHookRequest, req.body);
    const errors = await checkHook(request, urlGuard);
    if (errors.length > 0) throw unprocessable(errors);
    const { url, method, headers, body, active } = request;
    const saved = await hooks.save({
      projectId,
      method,
      sealedUrl: url === undefined ? null : hookSecrets.sealUrl(projectId, new URL(url).href),
      sealedParts: hookSecrets.sealParts(projectId, { headers, body }),
      active,
    });
    if (saved.kind === 'project_gone') throw notFound('Project not found.');
    if (saved.kind === 'url_missing') throw unprocessable([{ field: 'url', message: 'is required' }]);
    const shown = showHook(saved.hook, hookSecrets.open(projectId, saved.hook), 'owner');
    res.status(saved.kind === 'created' ? 201 : 200).json(shown);
  });

  routes.delete('/', requireProjectOwner, async (req, res) => {
    if (!(await hooks.remove(projectIdOf(req.params)))) throw noHook();
    res.status(204).end();
  });

  routes.post('/test', requireProjectOwner, async (req, res) => {
    res.json(await testHook(projectIdOf(req.params)));
  });

  routes.get('/requests', async (req, res) => {
    const { from, limit } = readPage(req.query);
    const found = await hookRequests.list(projectIdOf(req.params), from, limit + 1);
    res.json(toPage(found, limit, ({ request }) => request));
  });

  routes.all('/', methodNotAllowed('GET', 'HEAD', 'PUT', 'DELETE'));
  routes.all('/test', methodNotAllowed('POST'));
  routes.all('/requests', methodNotAllowed('GET', 'HEAD'));
  return routes;
}
