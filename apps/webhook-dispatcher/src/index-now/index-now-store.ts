import { randomBytes } from 'node:crypto';
import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** IndexNow of a project. */
export interface StoredIndexNow {
  readonly projectId: string;
  readonly key: string;
  /** Null where the project has no website. */
  readonly siteUrl: string | null;
  readonly createdAt: Date;
  /** When the key file was last found at this site; null if the last check failed. */
  readonly keySeenAt: Date | null;
  readonly keyTriedAt: Date | null;
  /** Why it was not found. */
  readonly keyDetail: string | null;
  /** Changed URLs that were not pinged yet. */
  readonly waiting: number;
  readonly pingedAt: Date | null;
  readonly pingStatus: 'accepted' | 'retry' | 'failed' | null;
  readonly pingAddresses: number | null;
  readonly pingCode: number | null;
  readonly pingDetail: string | null;
}

export type CheckAdmission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'too_many'; readonly retryAfterS: number };

/** What an owner's check found. */
export interface KeyCheck {
  readonly key: string;
  readonly siteUrl: string;
  /** Why there is no key file; null when there is one. */
  readonly detail: string | null;
}

/** Which projects have IndexNow turned on. */
export type IndexNowStore = ReturnType<typeof createIndexNowStore>;

/** 32 hexadecimal digits: the protocol takes 8 to 128. */
const KEY_BYTES = 16;
/** Most checks of a project in {@link CHECK_WINDOW_S}. */
export const MAX_CHECKS_PER_WINDOW = 10;
const CHECK_WINDOW_S = 60;

const windowEnd = Prisma.sql`i.checks_began_at + ${CHECK_WINDOW_S} * interval '1 second'`;

export function createIndexNowStore(database: Database) {
  return {
    async find(projectId: string): Promise<StoredIndexNow | null> {
      const [found] = await database.$queryRaw<StoredIndexNow[]>(Prisma.sql`
        SELECT i.project_id AS "projectId", i.key, p.site_url AS "siteUrl", i.created_at AS "createdAt",
          CASE WHEN i.key_site_url = p.site_url THEN i.key_seen_at END AS "keySeenAt",
          CASE WHEN i.key_site_url = p.site_url THEN i.key_tried_at END AS "keyTriedAt",
          CASE WHEN i.key_site_url = p.site_url THEN i.key_detail END AS "keyDetail",
          (SELECT count(*)::integer FROM index_now_address a WHERE a.project_id = i.project_id) AS waiting,
          i.pinged_at AS "pingedAt", i.ping_status AS "pingStatus", i.ping_addresses AS "pingAddresses",
          i.ping_code AS "pingCode", i.ping_detail AS "pingDetail"
        FROM index_now i JOIN project p ON p.id = i.project_id
        WHERE i.project_id = ${projectId}::uuid AND i.enabled`);
      return found ?? null;
    },

    /** Makes a key where there is none; false if it was on already, null if the project is deleted. */
    turnOn: (projectId: string): Promise<boolean | null> =>
      database.$transaction(async (tx) => {
        // A project that is being deleted is either seen as deleted, or its row is there to go with it.
        const [project] = await tx.$queryRaw<{ deleted: boolean }[]>`
          SELECT deleted FROM project WHERE id = ${projectId}::uuid FOR SHARE`;
        if (project?.deleted !== false) return null;
        const made = await tx.$executeRaw`
          INSERT INTO index_now AS i (project_id, key)
          VALUES (${projectId}::uuid, ${randomBytes(KEY_BYTES).toString('hex')})
          ON CONFLICT (project_id) DO UPDATE SET enabled = true, key = excluded.key, created_at = now()
            WHERE NOT i.enabled`;
        return made > 0;
      }),

    /**
     * Forgets the key and the waiting URLs. It keeps the number of checks and when the next ping may go out. False if
     * it was off.
     */
    turnOff: (projectId: string): Promise<boolean> =>
      database.$transaction(async (tx) => {
        const locked = await tx.$queryRaw<unknown[]>`
          SELECT 1 FROM index_now WHERE project_id = ${projectId}::uuid AND enabled FOR UPDATE`;
        if (locked.length === 0) return false;
        await tx.$executeRaw`DELETE FROM index_now_address WHERE project_id = ${projectId}::uuid`;
        await tx.$executeRaw`
          UPDATE index_now SET enabled = false, lease_token = NULL, lease_until = NULL, key_site_url = NULL,
            key_seen_at = NULL, key_tried_at = NULL, key_detail = NULL, failed_in_row = 0, pinged_at = NULL,
            ping_status = NULL, ping_addresses = NULL, ping_code = NULL, ping_detail = NULL
          WHERE project_id = ${projectId}::uuid`;
        return true;
      }),

    /** Counts a check, unless the project has had too many of them. */
    async admitCheck(projectId: string): Promise<CheckAdmission> {
      const [admitted] = await database.$queryRaw<unknown[]>`
        UPDATE index_now i SET checks = CASE WHEN ${windowEnd} > now() THEN i.checks + 1 ELSE 1 END,
          checks_began_at = CASE WHEN ${windowEnd} > now() THEN i.checks_began_at ELSE now() END
        WHERE i.project_id = ${projectId}::uuid
          AND (coalesce(${windowEnd} <= now(), true) OR i.checks < ${MAX_CHECKS_PER_WINDOW})
        RETURNING 1`;
      if (admitted !== undefined) return { kind: 'admitted' };
      const [left] = await database.$queryRaw<{ s: number | null }[]>`
        SELECT extract(epoch FROM ${windowEnd} - now())::float8 AS s FROM index_now i
          WHERE i.project_id = ${projectId}::uuid`;
      return { kind: 'too_many', retryAfterS: Math.max(1, left?.s ?? CHECK_WINDOW_S) };
    },

    /** Pings need a key file that was found at the site the project has now. */
    async recordCheck(projectId: string, { key, siteUrl, detail }: KeyCheck): Promise<void> {
      await database.$executeRaw`
        UPDATE index_now SET key_site_url = ${siteUrl}, key_tried_at = now(), key_detail = ${detail},
          key_seen_at = CASE WHEN ${detail === null} THEN now() END
        WHERE project_id = ${projectId}::uuid AND enabled AND key = ${key}`;
    },

    /** Turns it off for those of these projects that are deleted. */
    async forgetDeleted(projectIds: readonly string[]): Promise<void> {
      await database.$executeRaw`
        DELETE FROM index_now WHERE project_id IN (
          SELECT i.project_id FROM index_now i JOIN project p ON p.id = i.project_id AND p.deleted
          WHERE i.project_id = ANY (${[...projectIds]}::uuid[]) ORDER BY i.project_id FOR UPDATE OF i)`;
    },
  };
}
