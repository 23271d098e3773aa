import { createLookUps } from '../queries/create-look-ups.ts';
import type { ProjectVersion } from '../queries/published-blog.ts';
import type { PublicReadStore } from '../queries/public-read-store.ts';

/** Limits of looking up keys, which anybody may make up. */
const KEY_LOOK_UPS = { queries: 2, namesPerQuery: 500, waiting: 5_000 } as const;

/**
 * Finds the project of a key by the key's SHA-256; null when no project has it. Rejects when the database fails, or
 * when thousands are waiting already.
 */
export type FindProject = (keyHash: string) => Promise<ProjectVersion | null>;

/** Bounds the queries that keys cause. */
export const createFindProject = (store: Pick<PublicReadStore, 'findProjects'>): FindProject =>
  createLookUps((keyHashes) => store.findProjects(keyHashes), KEY_LOOK_UPS);
