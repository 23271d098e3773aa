import { posix } from 'node:path';
import { classifyPath, extensionOf, isPicturePath } from './classify-path.ts';
import { replaceDestinations } from './destinations.ts';

/** The slugs of an archive's posts, by composed path (NFC). */
export type SlugsByPath = ReadonlyMap<string, string>;

/** What the files of an import may lead to, by composed path. */
export interface Targets {
  readonly slugs: SlugsByPath;
  /** Posts that come in other archives, whose slugs are not known yet. */
  readonly expected: ReadonlySet<string>;
  /** The placeholders of images that are imported into the library. */
  readonly images: ReadonlyMap<string, string>;
}

/** An image of a post, and its placeholder until it is in the library. */
export interface PathImage {
  readonly url: string;
  /** As the post has it. */
  readonly path: string;
}

interface Rewritten {
  readonly text: string;
  readonly pathImages: readonly PathImage[];
  /** What leads to nothing that is imported, in full sentences. */
  readonly notes: readonly string[];
}

/** What names a file, or a post's address: most texts do not. */
const MAY_LINK = /\]\(|\]:|\b(?:href|src)\s*=/i;
/** It has a scheme or a host, or is a placeholder. */
const IS_WHOLE = /^(?:[a-z][a-z\d+.-]*:|\/\/|\[|%5b|&#)/i;
const EXTENSION = /^[a-z\d]{1,10}$/;
const MAX_PATH = 1_000;
/** Most that a note names. */
const MAX_NAMED = 10;

/**
 * Makes placeholders (contract §2.4.3) of the links to other files of the archive: relative destinations of links, and
 * the paths that posts have on a site (`/blog/<slug>/`). Images by path get their placeholders.
 *
 * @param path the file's own.
 */
export function rewriteLinks(text: string, format: 'markdown' | 'html', path: string, targets: Targets): Rewritten {
  const pathImages = new Map<string, PathImage>();
  const links = new Set<string>();
  const images = new Set<string>();
  const rewritten = replaceDestinations(text, format, MAY_LINK, ({ text: destination, tag }) => {
    const placeholder = placeholderFor(destination, path, targets);
    if (placeholder !== null) return placeholder;
    const file = fileOf(destination);
    if (file === null) return null;
    if (isImage(file, tag)) {
      const url = imageAt(destination, path, targets.images);
      if (url === null)
        images.add(described(destination, isPicturePath(file) ? 'not found' : 'not JPEG, PNG, WebP, AVIF or GIF'));
      else if (!pathImages.has(url)) pathImages.set(url, { url, path: destination });
      return url;
    }
    const target = relativeTarget(file, path);
    const isLink = tag === null || tag === 'a';
    if (
      isLink &&
      target !== null &&
      EXTENSION.test(extensionOf(target)) &&
      !targets.slugs.has(target) &&
      !targets.expected.has(target)
    )
      links.add(target === destination ? described(destination) : described(destination, target));
    return null;
  });
  return {
    text: rewritten,
    pathImages: [...pathImages.values()],
    notes: [
      ...sentence('Images that stay paths on your site, and are not copied', images),
      ...sentence('Links to files that are not imported stay as they are', links),
    ],
  };
}

/** Calls back for each image that a text shows by its path, with its possible places in the archive. */
export function eachPathImage(
  text: string,
  format: 'markdown' | 'html',
  path: string,
  found: (places: readonly string[], alt: string) => void,
): void {
  replaceDestinations(text, format, MAY_LINK, ({ text: destination, alt }) => {
    const places = placesOf(destination, path);
    if (places.length > 0) found(places, alt);
    return null;
  });
}

/** The placeholder of an image that a post shows by path; null when it is not imported. */
export function imageAt(destination: string, path: string, images: Targets['images']): string | null {
  const place = placesOf(destination, path).find((place) => images.has(place));
  return place === undefined ? null : (images.get(place) ?? null);
}

/** Whether a destination is the path of an image, and not its URL. */
export function namesPicture(destination: string): boolean {
  const file = fileOf(destination);
  return file !== null && isPicturePath(file);
}

/** The places of an archive where an image may be that a post shows by its path. */
export function placesOf(destination: string, path: string): readonly string[] {
  const file = fileOf(destination);
  if (file === null || !isPicturePath(file)) return [];
  if (!file.startsWith('/')) {
    const target = relativeTarget(file, path);
    return target === null ? [] : [target];
  }
  const onSite = posix.normalize(decoded(file)).slice(1).normalize();
  // The site's root, which may be a folder of the archive.
  const folders = path.normalize().split('/').slice(0, -1).slice(0, MAX_ROOTS);
  const roots = ['', ...folders.map((_folder, index) => `${folders.slice(0, index + 1).join('/')}/`)];
  return roots.flatMap((root) => SITE_FOLDERS.map((folder) => `${root}${folder}${onSite}`));
}

const MAX_ROOTS = 8;
/** Where site generators have what they serve as it is. */
const SITE_FOLDERS = ['', 'public/', 'static/'];

/** A path without what follows it; null for what has a host, is too long, or names no file. */
function fileOf(destination: string): string | null {
  const [file = ''] = destination.trim().split(/[?#]/, 1);
  return file === '' || file.length > MAX_PATH || IS_WHOLE.test(file) ? null : file;
}

/** The path that a relative one leads to from another file; null outside of the archive's root. */
function relativeTarget(file: string, path: string): string | null {
  if (!file.includes('.') || file.startsWith('/')) return null;
  return posix.join(posix.dirname(path), decoded(file)).normalize();
}

const isImage = (file: string, tag: string | null): boolean =>
  tag === 'img' || isPicturePath(file) || extensionOf(file) === 'svg';

/** The placeholder for a destination; null when it leads to no other post of the import. */
function placeholderFor(destination: string, path: string, { slugs }: Targets): string | null {
  const [file = ''] = destination.split(/[?#]/, 1);
  const rest = destination.slice(file.length);
  const [, onSite] = /^\/blog\/([a-z\d-]+)\/?$/.exec(file) ?? [];
  if (onSite !== undefined) return hasSlug(slugs, onSite) ? `[INTERNAL:${onSite}]${rest}` : null;
  const target = file.length > MAX_PATH ? null : relativeTarget(file, path);
  if (target === null || classifyPath(target).kind !== 'post') return null;
  const slug = slugs.get(target);
  if (slug === undefined) return null;
  // A link to a place in the post itself needs no address.
  return target === path.normalize() && rest.startsWith('#') ? rest : `[INTERNAL:${slug}]${rest}`;
}

/** The slugs that each archive's files have: a link to one of many posts is looked up directly. */
const SLUGS = new WeakMap<SlugsByPath, ReadonlySet<string>>();

function hasSlug(slugs: SlugsByPath, slug: string): boolean {
  let all = SLUGS.get(slugs);
  if (all === undefined) SLUGS.set(slugs, (all = new Set(slugs.values())));
  return all.has(slug);
}

function decoded(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

const described = (destination: string, more = ''): string => {
  const [name, said] = [destination, more].map((text) => text.trim().slice(0, 200).toWellFormed());
  return said === '' ? `${name}` : `${name} (${said})`;
};

function sentence(start: string, named: ReadonlySet<string>): string[] {
  if (named.size === 0) return [];
  const more = named.size > MAX_NAMED ? ` and ${named.size - MAX_NAMED} more` : '';
  return [`${start}: ${[...named].slice(0, MAX_NAMED).join(', ')}${more}.`];
}
