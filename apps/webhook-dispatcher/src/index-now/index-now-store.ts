import { randomBytes } from 'node:crypto';
import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** IndexNow of a project, as it stands. */
export interface StoredIndexNow {
  readonly projectId: string;
  readonly key: string;
  /** Null where the project has no website. */
  readonly siteUrl: string | null;
  readonly createdAt: Date;
  /** Addresses whose change the site does not show yet, or that are to be pinged. */
  readonly waiting: number;
  readonly pingedAt: Date | null;
  readonly pingStatus: 'accepted' | 'retry' | 'failed' | null;
  readonly pingAddresses: number | null;
  readonly pingCode: number | null;
  readonly pingDetail: string | null;
  readonly skippedAt: Date | null;
  readonly skipped: number | null;
  readonly skippedDetail: string | null;
}

/** Which projects have IndexNow turned on. */
export interface IndexNowStore {
  find(projectId: string): Promise<StoredIndexNow | null>;
  /** Makes a key where there is none; false when it was on already, null when the project is deleted. */
  turnOn(projectId: string): Promise<boolean | null>;
  /** Forgets the key and what waits. False when it was off. */
  turnOff(projectId: string): Promise<boolean>;
  /** Turns it off for those of these projects that are deleted. */
  forgetDeleted(projectIds: readonly string[]): Promise<void>;
}

/** 32 hexadecimal digits: the protocol takes 8 to 128. */
const KEY_BYTES = 16;

export function createIndexNowStore(database: Database): IndexNowStore {
  return {
    async find(projectId) {
      const [found] = await database.$queryRaw<StoredIndexNow[]>(Prisma.sql`
        SELECT i.project_id AS "projectId", i.key, p.site_url AS "siteUrl", i.created_at AS "createdAt",
          (SELECT count(*)::integer FROM index_now_address a WHERE a.project_id = i.project_id) AS waiting,
          i.pinged_at AS "pingedAt", i.ping_status AS "pingStatus", i.ping_addresses AS "pingAddresses",
          i.ping_code AS "pingCode", i.ping_detail AS "pingDetail", i.skipped_at AS "skippedAt", i.skipped,
          i.skipped_detail AS "skippedDetail"
        FROM index_now i JOIN project p ON p.id = i.project_id
        WHERE i.project_id = ${projectId}::uuid`);
      return found ?? null;
    },

    turnOn: (projectId) =>
      database.$transaction(async (tx) => {
        // A project that is being deleted is either seen as deleted, or its row is there to go with it.
        const [project] = await tx.$queryRaw<{ deleted: boolean }[]>`
          SELECT deleted FROM project WHERE id = ${projectId}::uuid FOR SHARE`;
        if (project?.deleted !== false) return null;
        const made = await tx.$executeRaw`
          INSERT INTO index_now (project_id, key) VALUES (${projectId}::uuid, ${randomBytes(KEY_BYTES).toString('hex')})
          ON CONFLICT DO NOTHING`;
        return made > 0;
      }),

    async turnOff(projectId) {
      const { count } = await database.indexNow.deleteMany({ where: { projectId } });
      return count > 0;
    },

    async forgetDeleted(projectIds) {
      await database.$executeRaw`
        DELETE FROM index_now i USING project p
        WHERE i.project_id = ANY (${[...projectIds]}::uuid[]) AND p.id = i.project_id AND p.deleted`;
    },
  };
}
