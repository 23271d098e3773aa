import { Router } from 'express';
import type { indexNow, indexNowCheck } from '@blog-content/payload-schemas';
import {
  conflict,
  methodNotAllowed,
  notFound,
  readId,
  requireProjectOwner,
  tooManyRequests,
} from '@blog-content/service-runtime';
import type { z } from 'zod';
import { createSlots } from '../concurrency/slots.ts';
import type { Outcome } from '../http/outcome.ts';
import { judgeKeyFile } from './check-key-file.ts';
import type { IndexNowStore, StoredIndexNow } from './index-now-store.ts';
import { keyFileUrl } from './site-address.ts';

/** Most checks of key files at once in this process, and of one account. */
const MAX_KEY_CHECKS = 16;
const MAX_KEY_CHECKS_OF_ACCOUNT = 2;
const BUSY_RETRY_S = 10;

export interface IndexNowRoutesDependencies {
  readonly indexNow: Pick<IndexNowStore, 'find' | 'turnOn' | 'turnOff'>;
  /** Requests a file of a site once, by the guarded client. */
  readonly getKeyFile: (url: string) => Promise<Outcome>;
}

const off = () => notFound('IndexNow is off in this project.');

/**
 * `/projects/:projectId/index-now`: telling search engines what has changed (ADR 37). Comes after
 * `requireProjectMember`: members see it, and only owners change and check it.
 */
export function createIndexNowRoutes({ indexNow: store, getKeyFile }: IndexNowRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });
  const slots = createSlots(MAX_KEY_CHECKS, MAX_KEY_CHECKS_OF_ACCOUNT);
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
    const made = await store.turnOn(projectId);
    if (made === null) throw notFound('No such project.');
    res.status(made ? 201 : 200).json(show(await find(projectId)));
  });

  routes.delete('/', requireProjectOwner, async (req, res) => {
    if (!(await store.turnOff(projectIdOf(req.params)))) throw off();
    res.status(204).end();
  });

  routes.post('/check', requireProjectOwner, async (req, res) => {
    const { key, siteUrl } = await find(projectIdOf(req.params));
    if (siteUrl === null) throw conflict('The project has no website: save its address in the settings first.');
    const leave = slots.enter(res.locals.account?.id ?? '');
    if (leave === null) throw tooManyRequests('Too many key files are being checked.', BUSY_RETRY_S);
    try {
      const url = keyFileUrl(siteUrl, key);
      const checked: z.infer<typeof indexNowCheck> = { url, ...judgeKeyFile(await getKeyFile(url), url, key) };
      res.json(checked);
    } finally {
      leave();
    }
  });

  routes.all('/', methodNotAllowed('GET', 'HEAD', 'PUT', 'DELETE'));
  routes.all('/check', methodNotAllowed('POST'));
  return routes;
}

function show(stored: StoredIndexNow): z.infer<typeof indexNow> {
  const { projectId, key, siteUrl, createdAt, waiting, pingedAt, pingStatus, skippedAt } = stored;
  return {
    project_id: projectId,
    key,
    file_name: `${key}.txt`,
    file_url: siteUrl === null ? null : keyFileUrl(siteUrl, key),
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
    last_given_up:
      skippedAt === null
        ? null
        : { at: skippedAt.toISOString(), addresses: stored.skipped ?? 0, detail: stored.skippedDetail ?? '' },
  };
}

/** The router above this one has checked it. */
function projectIdOf(params: object): string {
  return readId((params as { projectId?: string }).projectId, 'project');
}
