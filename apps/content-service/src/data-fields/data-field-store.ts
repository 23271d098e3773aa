import { dataField, DATA_LIMITS, type DataField } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { Database } from '../platform/database/open-database.ts';
import { createProjectDocumentStore } from '../project-documents/project-document-store.ts';

/** Most fields of a project. */
export const MAX_DATA_FIELDS = DATA_LIMITS.fields;

const stored = z.array(dataField).default([]);

export type DataFieldStore = ReturnType<typeof createDataFieldStore>;

/** The fields that projects declare for the data of their posts, in the owner’s order. */
export const createDataFieldStore = (database: Database, clock: () => Date) =>
  createProjectDocumentStore<DataField[]>(database, clock, {
    tableOf: ({ dataFields }) => dataFields,
    read: (fields) => stored.parse(fields),
  });
