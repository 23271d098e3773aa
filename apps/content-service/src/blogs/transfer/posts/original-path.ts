const FOLDER = 'data/posts/';

/** Where an export has a post as it was written. */
export const originalPath = (slug: string): string => `${FOLDER}${slug}.json`;

/** Whether a post as it was written is there. */
export const isOriginalPath = (path: string): boolean => /^data\/posts\/[a-z\d-]+\.json$/.test(path);

/** Where the post of a file of an export is as it was written; null for a file of another name. */
export function originalPathOf(file: string): string | null {
  const [, slug] = /^posts\/([a-z\d-]+)\.md$/.exec(file) ?? [];
  return slug === undefined ? null : originalPath(slug);
}
