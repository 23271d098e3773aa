import { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../../database/open-database.ts';
import type { HookMethod } from './build-request.ts';
import type { SealedHook } from './hook-secrets.ts';

/** A deploy hook as stored: what is secret is sealed. */
export interface StoredHook extends SealedHook {
  readonly projectId: string;
  readonly method: HookMethod;
  readonly active: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface HookToSave {
  readonly projectId: string;
  readonly method: HookMethod;
  /** Null to keep the saved one. */
  readonly sealedUrl: string | null;
  readonly sealedParts: string;
  readonly active: boolean;
}

export type SaveOutcome =
  | { readonly kind: 'created' | 'replaced'; readonly hook: StoredHook }
  /** There is no saved URL to keep. */
  | { readonly kind: 'url_missing' }
  | { readonly kind: 'project_gone' };

/** The deploy hooks of all projects, one each. */
export interface HookStore {
  find(projectId: string): Promise<StoredHook | null>;
  /** Makes it or replaces it; switched off, what waits for it ends as cancelled. */
  save(hook: HookToSave): Promise<SaveOutcome>;
  /** Deletes it and ends what waits for it as cancelled. False when there is none. */
  remove(projectId: string): Promise<boolean>;
  /** Does the same for those of these projects that are deleted. */
  removeOfDeletedProjects(projectIds: readonly string[]): Promise<void>;
}

/** How a waiting request ends without another attempt. */
export interface Cancellation {
  readonly reason: 'hook_deleted' | 'hook_deactivated' | 'project_deleted';
  readonly detail: string;
}

const DELETED: Cancellation = { reason: 'hook_deleted', detail: 'The deploy hook was deleted.' };
const DEACTIVATED: Cancellation = { reason: 'hook_deactivated', detail: 'The deploy hook was deactivated.' };
const PROJECT_DELETED: Cancellation = { reason: 'project_deleted', detail: 'The project was deleted.' };

const COLUMNS = Prisma.sql`project_id AS "projectId", method, sealed_url AS "sealedUrl",
  sealed_parts AS "sealedParts", active, created_at AS "createdAt", updated_at AS "updatedAt"`;

export function createHookStore(database: Database): HookStore {
  return {
    async find(projectId) {
      const [hook] = await database.$queryRaw<StoredHook[]>`
        SELECT ${COLUMNS} FROM deploy_hook WHERE project_id = ${projectId}::uuid`;
      return hook ?? null;
    },

    save: ({ projectId, method, sealedUrl, sealedParts, active }) =>
      database.$transaction(async (tx): Promise<SaveOutcome> => {
        await lockHooks(tx, [projectId]);
        // A project that is being deleted is either seen as deleted, or its hook is there to go with it.
        const [project] = await tx.$queryRaw<{ deleted: boolean }[]>`
          SELECT deleted FROM project WHERE id = ${projectId}::uuid FOR SHARE`;
        if (project?.deleted === true) return { kind: 'project_gone' };
        const [replaced] = await tx.$queryRaw<StoredHook[]>`
          UPDATE deploy_hook SET method = ${method}, sealed_url = coalesce(${sealedUrl}, sealed_url),
            sealed_parts = ${sealedParts}, active = ${active}, updated_at = now()
          WHERE project_id = ${projectId}::uuid RETURNING ${COLUMNS}`;
        if (replaced !== undefined) {
          if (!active) await cancelWaiting(tx, [projectId], DEACTIVATED);
          return { kind: 'replaced', hook: replaced };
        }
        if (sealedUrl === null) return { kind: 'url_missing' };
        const [created] = await tx.$queryRaw<StoredHook[]>`
          INSERT INTO deploy_hook (project_id, method, sealed_url, sealed_parts, active)
          VALUES (${projectId}::uuid, ${method}, ${sealedUrl}, ${sealedParts}, ${active}) RETURNING ${COLUMNS}`;
        if (created === undefined) throw new Error('The insert returned no row.');
        return { kind: 'created', hook: created };
      }),

    remove: (projectId) => database.$transaction((tx) => removeHooks(tx, [projectId], DELETED)),

    async removeOfDeletedProjects(projectIds) {
      const gone = await database.project.findMany({
        where: { id: { in: [...projectIds] }, deleted: true },
        select: { id: true },
      });
      if (gone.length === 0) return;
      const ids = gone.map(({ id }) => id);
      await database.$transaction((tx) => removeHooks(tx, ids, PROJECT_DELETED));
    },
  };
}

/**
 * Lets one transaction at a time decide about a project's deploy hook: changes, acknowledgements, retries and the hook
 * itself cannot miss each other. Locks are taken in one order, so that two batches cannot wait for each other.
 */
export async function lockHooks(tx: Prisma.TransactionClient, projectIds: readonly string[]): Promise<void> {
  const ids = [...new Set(projectIds)].sort();
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended('deploy-hook:' || hook.id, 0))
    FROM (SELECT id FROM unnest(${ids}::text[]) WITH ORDINALITY AS given (id, index) ORDER BY index) AS hook`;
}

/**
 * Why nothing may wait for a project's hook any more; null while it is there and active. To be called under
 * {@link lockHooks}: it stays so until the transaction ends.
 */
export async function cancellationOf(tx: Prisma.TransactionClient, projectId: string): Promise<Cancellation | null> {
  const [hook] = await tx.$queryRaw<{ active: boolean }[]>`
    SELECT active FROM deploy_hook WHERE project_id = ${projectId}::uuid`;
  if (hook !== undefined) return hook.active ? null : DEACTIVATED;
  const project = await tx.project.findUnique({ where: { id: projectId }, select: { deleted: true } });
  return project?.deleted === true ? PROJECT_DELETED : DELETED;
}

async function removeHooks(
  tx: Prisma.TransactionClient,
  projectIds: readonly string[],
  why: Cancellation,
): Promise<boolean> {
  await lockHooks(tx, projectIds);
  const { count } = await tx.deployHook.deleteMany({ where: { projectId: { in: [...projectIds] } } });
  await cancelWaiting(tx, projectIds, why);
  return count > 0;
}

/** An attempt that runs ends by itself, and is not retried. */
async function cancelWaiting(
  tx: Prisma.TransactionClient,
  projectIds: readonly string[],
  { reason, detail }: Cancellation,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE deploy_hook_request SET status = 'cancelled', reason = ${reason}, detail = ${detail}, finished_at = now()
    WHERE project_id = ANY (${projectIds}::uuid[]) AND status = 'waiting'`;
  await tx.$executeRaw`
    DELETE FROM deploy_hook_change WHERE project_id = ANY (${projectIds}::uuid[]) AND request_id IS NULL`;
}
