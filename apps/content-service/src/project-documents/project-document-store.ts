import type { IfMatch } from '@blog-content/service-runtime';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import { lockProjectAsOwner, type ProjectActor } from '../projects/project-change-store.ts';

/** What can be stored as one. */
export type JsonContent = Prisma.InputJsonValue;

/** What a project's owners wrote as a whole. `version` is 0 and `updatedAt` null before the first time. */
export interface ProjectDocument<Content> {
  readonly document: Content;
  readonly version: number;
  readonly updatedAt: Date | null;
}

interface Row {
  readonly document: Prisma.JsonValue;
  readonly version: number;
  readonly updatedAt: Date;
}

interface NewRow {
  document: JsonContent;
  version: number;
  updatedAt: Date;
}

/** A table with at most one row per project. */
interface Table {
  findUnique(query: { where: { projectId: string } }): Promise<Row | null>;
  upsert(query: { where: { projectId: string }; create: NewRow & { projectId: string }; update: NewRow }): Promise<Row>;
}

interface Documents<Content> {
  readonly tableOf: (database: Transaction) => Table;
  /** Reads what is stored, and gives the content before the first time for undefined. */
  readonly read: (stored: unknown) => Content;
}

export type ProjectDocumentStore<Content extends JsonContent> = ReturnType<typeof createProjectDocumentStore<Content>>;

/** One document per project, which an owner replaces as a whole. */
export function createProjectDocumentStore<Content extends JsonContent>(
  database: Database,
  clock: () => Date,
  { tableOf, read }: Documents<Content>,
) {
  const fromRow = (row: Row | null): ProjectDocument<Content> =>
    row === null
      ? { document: read(undefined), version: 0, updatedAt: null }
      : { document: read(row.document), version: row.version, updatedAt: row.updatedAt };

  return {
    find: async (projectId: string) => fromRow(await tableOf(database).findUnique({ where: { projectId } })),

    /** @returns `no_project` also for an account that isn't an owner, or no longer; `changed` where `ifMatch` says so. */
    save: (owner: ProjectActor, document: Content, ifMatch: IfMatch) =>
      database.$transaction(async (tx) => {
        const { projectId } = owner;
        if (!(await lockProjectAsOwner(tx, owner))) return 'no_project';
        const before = await tableOf(tx).findUnique({ where: { projectId } });
        const version = before?.version ?? 0;
        if (!ifMatch(version)) return 'changed';
        const data = { document, version: version + 1, updatedAt: clock() };
        return fromRow(
          await tableOf(tx).upsert({ where: { projectId }, create: { projectId, ...data }, update: data }),
        );
      }),
  };
}
