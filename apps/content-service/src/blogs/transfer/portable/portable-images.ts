const FORMATS = 'jpg|png|webp|avif|gif';

/** Stands for the address of an image of an export until that is in a library: no project has this id. */
export const EXPORTED_IMAGES = 'https://export.invalid/00000000-0000-0000-0000-000000000000/';

/** The text of a post’s file with whole addresses of the images of its export. */
export function withExportedImages(text: string): string {
  return text.replace(new RegExp(`\\.\\./images/([0-9a-f]{64}\\.(?:${FORMATS}))`, 'g'), `${EXPORTED_IMAGES}$1`);
}

/** The library of a project, in an export: extensions by hash. */
export type ExportedImages = ReadonlyMap<string, string>;

/** Where a post’s file finds an image of the export. */
export const IMAGES_FROM_POSTS = '../images';

/**
 * The text with the addresses of a project's stored images, served by any host, as paths from a post's file to
 * the images of the export; those of variants lead to the original. An image that the library no longer has keeps its
 * address.
 */
export function withRelativeImages(text: string, projectId: string, images: ExportedImages): string {
  if (!text.includes(projectId)) return text;
  const address = new RegExp(
    `(?:https?://[^\\s"'<>()]{1,200}?)?/(?:[^\\s"'<>()/]{1,100}/){0,8}${projectId}/([0-9a-f]{64})(?:-\\d+)?\\.(?:${FORMATS})`,
    'g',
  );
  return text.replace(address, (url, hash: string) => {
    const ext = images.get(hash);
    return ext === undefined ? url : `${IMAGES_FROM_POSTS}/${hash}.${ext}`;
  });
}
