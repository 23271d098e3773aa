import { agentKeyCreateRequest, agentKeyUpdateRequest, type agentKey } from '@blog-content/payload-schemas';
import { conflict, notFound, parseBody, readId, readPage, toPage, unprocessable } from '@blog-content/service-runtime';
import { Router } from 'express';
import type { z } from 'zod';
import { MAX_AGENT_KEYS } from '../limits.ts';
import { callerOf } from '../platform/http/caller.ts';
import type { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../platform/idempotency/idempotent.ts';
import type { AgentKey, AgentKeyStore } from './agent-key-store.ts';

export interface AgentKeyRoutesDependencies {
  readonly agentKeys: Omit<AgentKeyStore, 'identify' | 'create'>;
  readonly idempotency: IdempotencyStore<{ readonly agentKeys: Pick<AgentKeyStore, 'create'> }>;
  readonly clock: () => Date;
}

/** `/agent-keys` of a project, for its owners. */
export function createAgentKeyRoutes({ agentKeys, idempotency, clock }: AgentKeyRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });

  routes.get('/', async (req, res) => {
    const page = readPage(req.query);
    res.json(toPage(await agentKeys.list(callerOf(res).projectId, page), page.limit, show));
  });

  routes.post(
    '/',
    idempotent(idempotency, callerOf, async (req, res, stores) => {
      const { name, permission, expires_at: given } = parseBody(agentKeyCreateRequest, req.body);
      const expiresAt = checkExpiry(given, clock());
      const made = await stores.agentKeys.create(callerOf(res), { name, permission, expiresAt });
      if (made === 'no_project') throw notFound('Project not found.');
      if (made === 'too_many')
        throw conflict(`Limit reached: ${MAX_AGENT_KEYS} agent keys per project. Revoke one first.`);
      const shown = show(made.agentKey);
      res.locals.log['agent_key_id'] = shown.id;
      return {
        status: 201,
        body: { ...shown, key: made.key },
        repeatedBody: { ...shown, key: null },
      };
    }),
  );

  routes.patch('/:agentKeyId', async (req, res) => {
    const id = readId(req.params.agentKeyId, 'agent key');
    const { name, permission, expires_at: expiresAt } = parseBody(agentKeyUpdateRequest, req.body);
    const changed = await agentKeys.change(callerOf(res), id, {
      ...(name !== undefined && { name }),
      ...(permission !== undefined && { permission }),
      ...(expiresAt !== undefined && { expiresAt: checkExpiry(expiresAt, clock()) }),
    });
    if (!changed) throw noAgentKey();
    res.json(show(changed));
  });

  routes.delete('/:agentKeyId', async (req, res) => {
    const revoked = await agentKeys.revoke(callerOf(res), readId(req.params.agentKeyId, 'agent key'));
    if (!revoked) throw noAgentKey();
    res.status(204).end();
  });
  return routes;
}

const noAgentKey = () => notFound('Agent key not found.');

/** @throws a 422 problem for a time that has passed. */
function checkExpiry(given: string | null, now: Date): Date | null {
  if (given === null) return null;
  const expiresAt = new Date(given);
  if (expiresAt > now) return expiresAt;
  throw unprocessable([{ field: 'expires_at', message: 'must be in the future: to end a key now, revoke it' }]);
}

function show({ id, name, permission, hint, createdAt, expiresAt, lastUsedAt }: AgentKey): z.infer<typeof agentKey> {
  return {
    id,
    name,
    permission,
    hint,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}
