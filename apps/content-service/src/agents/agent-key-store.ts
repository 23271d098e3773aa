import { randomUUID } from 'node:crypto';
import { generateToken, sha256Hex } from '@blog-content/credentials';
import type { AgentPermission } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { AgentKey as AgentKeyRow } from '../generated/prisma/client.ts';
import { MAX_AGENT_KEYS } from '../limits.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import { lockProjectAsOwner, type ProjectActor } from '../projects/project-change-store.ts';

export type AgentKey = Omit<AgentKeyRow, 'permission'> & { readonly permission: AgentPermission };

const HINT_LENGTH = 4;
const USE_RECORDED_EVERY_MS = 60_000;

export type AgentKeyStore = ReturnType<typeof createAgentKeyStore>;

/** Secret keys of agents (contract §5.1.7): hashed, so that nobody can read them back. */
export function createAgentKeyStore(database: Database | Transaction, clock: () => Date) {
  return {
    /** @returns the key in clear, this once. */
    create: (
      owner: ProjectActor,
      { name, permission, expiresAt }: { name: string; permission: AgentPermission; expiresAt: Date | null },
    ): Promise<{ agentKey: AgentKey; key: string } | 'too_many' | 'no_project'> =>
      database.$transaction(async (tx) => {
        // One at a time, so that the limit holds.
        if (!(await lockProjectAsOwner(tx, owner))) return 'no_project';
        const { projectId, id: createdBy } = owner;
        if ((await tx.agentKey.count({ where: { projectId } })) >= MAX_AGENT_KEYS) return 'too_many';
        const key = generateToken('sk_agent_');
        const agentKey = await tx.agentKey.create({
          data: {
            id: randomUUID(),
            projectId,
            name,
            permission,
            expiresAt,
            createdBy,
            keyHash: sha256Hex(key),
            hint: key.slice(-HINT_LENGTH),
            createdAt: clock(),
          },
        });
        return { agentKey: asAgentKey(agentKey), key };
      }),

    change: (
      owner: ProjectActor,
      id: string,
      changes: { name?: string; permission?: AgentPermission; expiresAt?: Date | null },
    ): Promise<AgentKey | null> =>
      database.$transaction(async (tx) => {
        if (!(await lockProjectAsOwner(tx, owner))) return null;
        const where = { id, projectId: owner.projectId };
        const [changed] = await tx.agentKey.updateManyAndReturn({ where, data: changes });
        return changed ? asAgentKey(changed) : null;
      }),

    /** In order of creation, one more than the page holds. */
    async list(projectId: string, { from, limit }: Page): Promise<AgentKey[]> {
      const found = await database.agentKey.findMany({
        where: { projectId, ...(from !== null && { position: { gt: BigInt(from) } }) },
        orderBy: { position: 'asc' },
        take: limit + 1,
      });
      return found.map(asAgentKey);
    },

    /** The key stops working immediately. False when there is none. */
    revoke: (owner: ProjectActor, id: string): Promise<boolean> =>
      database.$transaction(async (tx) => {
        if (!(await lockProjectAsOwner(tx, owner))) return false;
        const { count } = await tx.agentKey.deleteMany({ where: { id, projectId: owner.projectId } });
        return count === 1;
      }),

    /** Who a key speaks for; null when it is unknown, revoked or expired. Notes the use, to the minute. */
    async identify(
      key: string,
    ): Promise<
      | (Pick<AgentKey, 'id' | 'projectId' | 'name' | 'createdBy' | 'permission'> & { readonly isSuspended: boolean })
      | null
    > {
      const found = await database.agentKey.findFirst({
        where: { keyHash: sha256Hex(key), project: { deletedAt: null } },
        include: { project: { select: { suspended: true } } },
      });
      const now = clock();
      if (!found || (found.expiresAt !== null && found.expiresAt <= now)) return null;
      const { id, projectId, name, createdBy, lastUsedAt, permission } = asAgentKey(found);
      const isSuspended = found.project.suspended !== null;
      const usedAt = new Date(now.getTime() - (now.getTime() % USE_RECORDED_EVERY_MS));
      if (lastUsedAt === null || lastUsedAt < usedAt) {
        await database.agentKey.updateMany({ where: { id }, data: { lastUsedAt: usedAt } });
      }
      return { id, projectId, name, createdBy, permission, isSuspended };
    },

    /** Whether a key that was let in would be let in now. */
    async isLive(projectId: string, id: string): Promise<boolean> {
      const unexpired = [{ expiresAt: null }, { expiresAt: { gt: clock() } }];
      return (
        (await database.agentKey.count({ where: { id, projectId, project: { deletedAt: null }, OR: unexpired } })) > 0
      );
    },
  };
}

/** The column's check allows no other permission. */
const asAgentKey = (row: AgentKeyRow): AgentKey => row as AgentKey;
