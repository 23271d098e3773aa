import { dataField, type DataField } from '@blog-content/payload-schemas';
import type { IfMatch } from '@blog-content/service-runtime';
import { z } from 'zod';
import type { DataFields } from '../generated/prisma/client.ts';
import type { Database } from '../platform/database/open-database.ts';
import { lockProjectAsOwner, type ProjectActor } from '../projects/project-change-store.ts';

/** A project's declarations. `version` is 0 and `updatedAt` null before the first. */
export interface Declarations {
  readonly fields: readonly DataField[];
  readonly version: number;
  readonly updatedAt: Date | null;
}

const NONE: Declarations = { fields: [], version: 0, updatedAt: null };
const stored = z.array(dataField);

const fromRow = (row: DataFields | null): Declarations =>
  row === null ? NONE : { fields: stored.parse(row.fields), version: row.version, updatedAt: row.updatedAt };

export type DataFieldStore = ReturnType<typeof createDataFieldStore>;

/** The fields that projects declare for the data of their posts. */
export function createDataFieldStore(database: Database, clock: () => Date) {
  return {
    find: async (projectId: string): Promise<Declarations> =>
      fromRow(await database.dataFields.findUnique({ where: { projectId } })),

    /** @returns `no_project` also for an account that isn't an owner, or no longer; `changed` where `ifMatch` says so. */
    save: (
      owner: ProjectActor,
      fields: readonly DataField[],
      ifMatch: IfMatch,
    ): Promise<Declarations | 'no_project' | 'changed'> =>
      database.$transaction(async (tx) => {
        const { projectId } = owner;
        if (!(await lockProjectAsOwner(tx, owner))) return 'no_project';
        const before = fromRow(await tx.dataFields.findUnique({ where: { projectId } }));
        if (!ifMatch(before.version)) return 'changed';
        const data = { fields: [...fields], version: before.version + 1, updatedAt: clock() };
        return fromRow(
          await tx.dataFields.upsert({ where: { projectId }, create: { projectId, ...data }, update: data }),
        );
      }),
  };
}
