import { Router } from 'express';
import type { indexNow, indexNowCheck } from '@blog-content/payload-schemas';
import {
  conflict,
  methodNotAllowed,
  notFound,
  requireProjectOwner,
  tooManyRequests,
} from '@blog-content/service-runtime';
import type { z } from 'zod';
import { projectIdOf } from '../project-id-of.ts';
import type { Outcome } from '../http/exchange.ts';
import { judgeKeyFile } from './check-key-file.ts';
import { type IndexNowStore, MAX_CHECKS_PER_WINDOW, type StoredIndexNow } from './index-now-store.ts';
import { keyFileUrl } from './site-address.ts';

export interface IndexNowRoutesDependencies {
  readonly indexNow: Omit<IndexNowStore, 'forgetDeleted'>;
  /** Requests a file of a site once, by the guarded client. */
  readonly getKeyFile: (url: string) => Promise<Outcome>;
}

const off = () => notFound('IndexNow is off in this project.');

/**
 * `/projects/:projectId/index-now`: telling search engines what has changed (ADR 31). Comes after
 * `requireProjectMember`: members see it, and only owners change and check it.
 */
export function createIndexNowRoutes({ indexNow: store, getKeyFile }: IndexNowRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });
  const find = async (projectId: string) => {
    const found = await store.find(projectId);
    if (found === null) throw off();
    return found;
  };

  routes.get('/', async (req, res) => {
    res.json(show(await find(projectIdOf(req.params))));
  });

  routes.put('/', requireProjectOwner, async (req, res) => {
    const projectId = projectIdOf(req.params);
    const isNew = await store.turnOn(projectId);
    if (isNew === null) throw notFound('Project not found.');
    res.status(isNew ? 201 : 200).json(show(await find(projectId)));
  });

  routes.delete('/', requireProjectOwner, async (req, res) => {
    if (!(await store.turnOff(projectIdOf(req.params)))) throw off();
    res.status(204).end();
  });

  routes.post('/check', requireProjectOwner, async (req, res) => {
    const projectId = projectIdOf(req.params);
    const { key, siteUrl } = await find(projectId);
    if (siteUrl === null) throw conflict('The project has no site URL. Set it in the settings first.');
    const admission = await store.admitCheck(projectId);
    if (admission.kind === 'too_many') {
      throw tooManyRequests(
        `Limit reached: ${MAX_CHECKS_PER_WINDOW} key file checks per minute and project.`,
        admission.retryAfterS,
      );
    }
    const url = keyFileUrl(siteUrl, key);
    const outcome = await getKeyFile(url);
    const result: z.infer<typeof indexNowCheck> = { url, ...judgeKeyFile(outcome, url, key) };
    await store.recordCheck(projectId, { key, siteUrl, detail: result.detail });
    res.json(result);
  });

  routes.all('/', methodNotAllowed('GET', 'HEAD', 'PUT', 'DELETE'));
  routes.all('/check', methodNotAllowed('POST'));
  return routes;
}

function show(stored: StoredIndexNow): z.infer<typeof indexNow> {
  const { projectId, key, siteUrl, createdAt, keySeenAt, keyTriedAt, waiting, pingedAt, pingStatus } = stored;
  return {
    project_id: projectId,
    key,
    file_name: `${key}.txt`,
    file_url: siteUrl === null ? null : keyFileUrl(siteUrl, key),
    file_seen_at: keySeenAt?.toISOString() ?? null,
    file_tried_at: keyTriedAt?.toISOString() ?? null,
    file_detail: stored.keyDetail,
    created_at: createdAt.toISOString(),
    waiting,
    last_ping:
      pingedAt === null || pingStatus === null
        ? null
        : {
            at: pingedAt.toISOString(),
            status: pingStatus,
            addresses: stored.pingAddresses ?? 0,
            status_code: stored.pingCode,
            detail: stored.pingDetail,
          },
  };
}
