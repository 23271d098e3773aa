import type { SealContext, SecretBox } from '@blog-content/credentials';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { lockProjectAsOwner, type ProjectActor } from '../../projects/project-change-store.ts';
import type { GenerationSettings } from '../../generated/prisma/client.ts';

export type SettingsRow = GenerationSettings;

/** What an owner sets; money in millionths. */
export interface SettingsFields {
  readonly baseUrl: string | null;
  readonly model: string | null;
  readonly imageModel: string | null;
  readonly inputMicros: bigint;
  readonly outputMicros: bigint;
  readonly imageMicros: bigint;
  readonly jobMicros: bigint | null;
  readonly monthMicros: bigint | null;
  readonly jobTokens: bigint | null;
  readonly monthTokens: bigint | null;
}

/** Characters of a key that are shown. */
const HINT_LENGTH = 4;
/** Shorter keys show nothing. */
const MIN_HINTED = 12;

export type SettingsStore = ReturnType<typeof createSettingsStore>;

/** @param box null where `ENCRYPTION_KEYS` are not set: then no key can be kept. */
export function createSettingsStore(database: Database | Transaction, box: SecretBox | null, clock: () => Date) {
  const contextOf = (projectId: string): SealContext => `generation-key:${projectId}`;
  return {
    find: (projectId: string): Promise<SettingsRow | null> =>
      database.generationSettings.findUnique({ where: { projectId } }),

    /**
     * @param key the new one; null for none; undefined for the one that is there, which goes along to no other address.
     * @returns `other_address` when it would; `no_project` for who is no owner (any more), too.
     */
    save: (
      owner: ProjectActor,
      fields: SettingsFields,
      key: string | null | undefined,
    ): Promise<SettingsRow | 'no_project' | 'other_address'> =>
      database.$transaction(async (tx) => {
        const { projectId } = owner;
        // One at a time: what is there decides about the key.
        if (!(await lockProjectAsOwner(tx, owner))) return 'no_project';
        const before = await tx.generationSettings.findUnique({ where: { projectId } });
        if (key === undefined && before?.sealedKey && before.baseUrl !== fields.baseUrl) return 'other_address';
        if (typeof key === 'string' && box === null)
          throw new Error('API keys cannot be stored without ENCRYPTION_KEYS.');
        const keyFields =
          key === undefined
            ? {}
            : key === null
              ? { sealedKey: null, keyHint: null }
              : {
                  sealedKey: box!.seal(key, contextOf(projectId)),
                  keyHint: key.length < MIN_HINTED ? '' : key.slice(-HINT_LENGTH),
                };
        const data = { ...fields, ...keyFields, updatedAt: clock() };
        return tx.generationSettings.upsert({ where: { projectId }, create: { projectId, ...data }, update: data });
      }),

    /** The key of a project; null when it has none. */
    keyOf({ projectId, sealedKey }: SettingsRow): string | null {
      if (sealedKey === null) return null;
      if (box === null) throw new Error('An encrypted key is stored, but ENCRYPTION_KEYS is not set.');
      return box.open(sealedKey, contextOf(projectId));
    },
  };
}
