import type { ReadExport } from '../src/exports/exported-post.ts';
import { readGhost as readGhostFile } from '../src/exports/read-ghost.ts';
import { readWordPress as readWordPressFile } from '../src/exports/wordpress/read-wordpress.ts';

const now = new Date('2026-01-01T00:00:00Z');

/** Exports as they are read when all of their bytes are. */
export const readWordPress = (text: string): ReadExport => readWordPressFile({ text, isDamaged: false, now });
export const readGhost = (text: string, site: string | null): ReadExport =>
  readGhostFile({ text, isDamaged: false, now }, site);
