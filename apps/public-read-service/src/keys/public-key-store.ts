import type { Member } from '@blog-content/service-runtime';
import type { Database } from '../database/open-database.ts';
import { raiseEpoch } from '../replicas/read-epoch-store.ts';

/** A project's key as it is stored. */
export interface StoredKey {
  /** The key, encrypted. */
  readonly sealedKey: string;
  readonly createdAt: Date;
}

/** A key to store, with the hash that it is found by. */
export interface NewKey extends StoredKey {
  /** SHA-256 of the key, lowercase hexadecimal. */
  readonly keyHash: string;
}

export type PublicKeyStore = ReturnType<typeof createPublicKeyStore>;

/**
 * The public keys. A method that changes a key resolves to the epoch from which on replicas no longer know the old one
 * (read-epoch-store.ts).
 */
export function createPublicKeyStore(database: Database) {
  return {
    /** What the account is in the project; null when it is no member, or the project is deleted or not known. */
    async memberOf(projectId: string, accountId: string): Promise<Member | null> {
      const where = { projectId, accountId, project: { deletedAt: null } };
      const select = { role: true, project: { select: { suspended: true } } } as const;
      const member = await database.projectMember.findFirst({ where, select });
      if (member === null) return null;
      return {
        // A role that this version does not know must not grant what it guards.
        role: member.role === 'owner' ? 'owner' : 'editor',
        suspended: member.project.suspended as Member['suspended'],
      };
    },

    async find(projectId: string): Promise<StoredKey | null> {
      return database.publicKey.findUnique({ where: { projectId }, select: { sealedKey: true, createdAt: true } });
    },

    /** False when the project has a key already, which then stays, or was deleted. */
    add: (projectId: string, key: NewKey): Promise<boolean> =>
      database.$transaction(async (transaction) => {
        // A project that is being deleted is either seen as deleted, or its key is there to go with it.
        const [project] = await transaction.$queryRaw<{ isDeleted: boolean }[]>`
          SELECT deleted_at IS NOT NULL AS "isDeleted" FROM project WHERE id = ${projectId}::uuid FOR SHARE`;
        if (project?.isDeleted === true) return false;
        const { count } = await transaction.publicKey.createMany({
          data: [{ projectId, ...key }],
          skipDuplicates: true,
        });
        return count > 0;
      }),

    /** Null when the project has no key to replace. */
    replace: (projectId: string, key: NewKey): Promise<bigint | null> =>
      database.$transaction(async (transaction) => {
        const { count } = await transaction.publicKey.updateMany({ where: { projectId }, data: key });
        return count > 0 ? raiseEpoch(transaction, [projectId]) : null;
      }),

    /** Null when the project has no key. */
    remove: (projectId: string): Promise<bigint | null> =>
      database.$transaction(async (transaction) => {
        const { count } = await transaction.publicKey.deleteMany({ where: { projectId } });
        return count > 0 ? raiseEpoch(transaction, [projectId]) : null;
      }),
  };
}
