import type { Database } from '../open-database.ts';

/** A project's key as it is kept. */
export interface StoredKey {
  /** The key, encrypted. */
  readonly sealedKey: string;
  readonly createdAt: Date;
}

/** A key to keep: what it is looked up by as well. */
export interface NewKey extends StoredKey {
  /** SHA-256 of the key, lowercase hexadecimal. */
  readonly keyHash: string;
}

/** The public keys. When a method that changes them resolves, every later look-up on every replica sees the change. */
export interface PublicKeyStore {
  isMember(projectId: string, accountId: string): Promise<boolean>;
  find(projectId: string): Promise<StoredKey | null>;
  /** False when the project has a key already, which then stays. */
  add(projectId: string, key: NewKey): Promise<boolean>;
  /** False when the project has no key to replace. */
  replace(projectId: string, key: NewKey): Promise<boolean>;
  /** False when the project has no key. */
  remove(projectId: string): Promise<boolean>;
}

/** The keys' store on this service's database. */
export function createPublicKeyStore(database: Database): PublicKeyStore {
  return {
    async isMember(projectId, accountId) {
      const where = { projectId, accountId, project: { deletedAt: null } };
      return (await database.projectMember.count({ where })) > 0;
    },

    async find(projectId) {
      return database.publicKey.findUnique({ where: { projectId }, select: { sealedKey: true, createdAt: true } });
    },

    async add(projectId, key) {
      const { count } = await database.publicKey.createMany({ data: [{ projectId, ...key }], skipDuplicates: true });
      return count > 0;
    },

    async replace(projectId, key) {
      const { count } = await database.publicKey.updateMany({ where: { projectId }, data: key });
      return count > 0;
    },

    async remove(projectId) {
      const { count } = await database.publicKey.deleteMany({ where: { projectId } });
      return count > 0;
    },
  };
}
