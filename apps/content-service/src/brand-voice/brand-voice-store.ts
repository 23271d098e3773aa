import { brandVoiceRequest, type BrandVoiceDocument } from '@blog-content/payload-schemas';
import type { IfMatch } from '@blog-content/service-runtime';
import type { BrandVoice as Row } from '../generated/prisma/client.ts';
import type { Database } from '../platform/database/open-database.ts';
import { lockProjectAsOwner, type ProjectActor } from '../projects/project-change-store.ts';

/** A project's notes and sources. `version` is 0 and `updatedAt` null before the first. */
export interface BrandVoice {
  readonly document: BrandVoiceDocument;
  readonly version: number;
  readonly updatedAt: Date | null;
}

const NONE: BrandVoice = { document: brandVoiceRequest.parse({}), version: 0, updatedAt: null };

const fromRow = (row: Row | null): BrandVoice =>
  row === null
    ? NONE
    : { document: brandVoiceRequest.parse(row.document), version: row.version, updatedAt: row.updatedAt };

export type BrandVoiceStore = ReturnType<typeof createBrandVoiceStore>;

/** What generations and proposals of projects go by. */
export function createBrandVoiceStore(database: Database, clock: () => Date) {
  return {
    find: async (projectId: string): Promise<BrandVoice> =>
      fromRow(await database.brandVoice.findUnique({ where: { projectId } })),

    /** @returns `no_project` also for an account that isn't an owner, or no longer; `changed` where `ifMatch` says so. */
    save: (
      owner: ProjectActor,
      document: BrandVoiceDocument,
      ifMatch: IfMatch,
    ): Promise<BrandVoice | 'no_project' | 'changed'> =>
      database.$transaction(async (tx) => {
        const { projectId } = owner;
        if (!(await lockProjectAsOwner(tx, owner))) return 'no_project';
        const before = await tx.brandVoice.findUnique({ where: { projectId }, select: { version: true } });
        const version = before?.version ?? 0;
        if (!ifMatch(version)) return 'changed';
        const data = { document, version: version + 1, updatedAt: clock() };
        return fromRow(
          await tx.brandVoice.upsert({ where: { projectId }, create: { projectId, ...data }, update: data }),
        );
      }),
  };
}
