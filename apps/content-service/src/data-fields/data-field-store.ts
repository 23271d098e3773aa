import { isDeepStrictEqual } from 'node:util';
import { dataField, DATA_LIMITS, type DataField } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { Database } from '../platform/database/open-database.ts';
import { createProjectDocumentStore } from '../project-documents/project-document-store.ts';

/** Most fields of a project. */
export const MAX_DATA_FIELDS = DATA_LIMITS.fields;

const stored = z.array(dataField).default([]);

export type DataFieldStore = ReturnType<typeof createDataFieldStore>;

/** The fields that projects declare for the data of their posts, in the owner’s order. */
export function createDataFieldStore(database: Database, clock: () => Date) {
  const documents = createProjectDocumentStore<DataField[]>(database, clock, {
    tableOf: ({ dataFields }) => dataFields,
    read: (fields) => stored.parse(fields),
  });
  return {
    ...documents,
    /** Saves them as any document. Published posts with values of changed fields then have unpublished changes. */
    save: async (...asked: Parameters<typeof documents.save>) => {
      const [{ projectId }, fields] = asked;
      const { document: before } = await documents.find(projectId);
      const saved = await documents.save(...asked);
      if (typeof saved === 'string') return saved;
      const names = changedNames(before, fields);
      if (names.length > 0) {
        // Not in one transaction: it would hold the project, which other changes of these posts may wait for.
        await database.$executeRaw`
          UPDATE blog SET changed_since_publish = true
          WHERE project_id = ${projectId}::uuid AND state = 'published' AND NOT changed_since_publish
            AND extra -> 'data' ?| ${names}::text[]`;
      }
      return saved;
    },
  };
}

/** Names of fields that were added, removed or take other values. Labels and hints don't count. */
function changedNames(before: readonly DataField[], after: readonly DataField[]): string[] {
  const takes = (fields: readonly DataField[], name: string) => {
    const field = fields.find((one) => one.name === name);
    return field && { kind: field.kind, choices: field.choices, schema: field.json_schema };
  };
  const names = new Set([...before, ...after].map(({ name }) => name));
  return [...names].filter((name) => !isDeepStrictEqual(takes(before, name), takes(after, name)));
}
