import { createLookUps } from './create-look-ups.ts';
import type { ProjectVersion } from './published-blog.ts';

/** Limits of looking up keys, which anybody may make up. */
const KEY_LOOK_UPS = { queries: 2, namesPerQuery: 500, waiting: 5_000 } as const;

/**
 * Finds the project of a key by the key's SHA-256; null when no project has it. Rejects when the database fails, or
 * when thousands are waiting already.
 */
export type FindProject = (keyHash: string) => Promise<ProjectVersion | null>;

/** The store's part of it. */
export interface FindProjects {
  /** The projects whose keys have these SHA-256 (lowercase hexadecimal), by hash. */
  findProjects(keyHashes: readonly string[]): Promise<ReadonlyMap<string, ProjectVersion>>;
}

/** Bounds the queries that keys cause. */
export const createFindProject = (store: FindProjects): FindProject =>
  createLookUps((keyHashes) => store.findProjects(keyHashes), KEY_LOOK_UPS);
