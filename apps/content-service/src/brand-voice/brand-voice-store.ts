import { brandVoiceRequest, type BrandVoiceDocument } from '@blog-content/payload-schemas';
import type { Database } from '../platform/database/open-database.ts';
import { createProjectDocumentStore, type ProjectDocument } from '../project-documents/project-document-store.ts';

/** A project's notes and sources. */
export type BrandVoice = ProjectDocument<BrandVoiceDocument>;

export type BrandVoiceStore = ReturnType<typeof createBrandVoiceStore>;

/** What generations and proposals of projects go by. */
export const createBrandVoiceStore = (database: Database, clock: () => Date) =>
  createProjectDocumentStore<BrandVoiceDocument>(database, clock, {
    tableOf: ({ brandVoice }) => brandVoice,
    read: (document = {}) => brandVoiceRequest.parse(document),
  });
