import { keyUsageQuery, type PublicKeyUsage } from '@blog-content/payload-schemas';
import { methodNotAllowed, parseQuery, requireProjectMember, type Member } from '@blog-content/service-runtime';
import express, { type RequestHandler, type Router } from 'express';
import type { KeyUsageStore } from './key-usage-store.ts';
import { fillDays, usageDay } from './usage-days.ts';

export interface KeyUsageRoutesDependencies {
  readonly store: Pick<KeyUsageStore, 'list' | 'lastUsedAt'>;
  /** What the account is in the project; null when it is no member. */
  readonly memberOf: (projectId: string, accountId: string) => Promise<Member | null>;
  /** Puts the signed-in account into `response.locals.account`, or answers 401. */
  readonly requireOwnerSession: RequestHandler;
  readonly now: () => Date;
}

type ProjectHandler = RequestHandler<{ projectId: string }>;

const PATH = '/blog/api/v1/owner/projects/:projectId/public-key/usage';

/** GET tells members of the project how often its public key was used, day by day (UTC), and when last. */
export function keyUsageRoutes({ store, memberOf, requireOwnerSession, now }: KeyUsageRoutesDependencies): Router {
  const router = express.Router({ strict: true, caseSensitive: true });

  const show: ProjectHandler = async (request, response) => {
    const { days } = parseQuery(keyUsageQuery, request.query);
    const { projectId } = request.params;
    const time = now();
    const [used, lastUsedAt] = await Promise.all([
      store.list(projectId, usageDay(time, days - 1)),
      store.lastUsedAt(projectId),
    ]);
    const body: PublicKeyUsage = {
      last_used_at: lastUsedAt?.toISOString() ?? null,
      days: fillDays(used, days, time).map(({ day, requests, notModified }) => ({
        day,
        requests,
        not_modified: notModified,
      })),
    };
    response.json(body);
  };

  router
    .route(PATH)
    .get(
      requireOwnerSession as ProjectHandler,
      requireProjectMember(memberOf, { hearsOfProjects: true }) as ProjectHandler,
      show,
    )
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}
