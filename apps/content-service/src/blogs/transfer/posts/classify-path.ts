import { isOriginalPath } from './original-path.ts';

/** What an archive's file is taken for. */
export type FileKind =
  | { readonly kind: 'post'; readonly format: 'markdown' | 'html' }
  /** A text that somebody may have meant as a post, in a format that is not read. */
  | { readonly kind: 'unsupported' }
  /** An image of a library, in an export. */
  | { readonly kind: 'image' }
  /** A post of an export as it was written, beside its file. */
  | { readonly kind: 'original' }
  /** What an export tells of its images. */
  | { readonly kind: 'image_data' }
  /** The slugs of files that come in other archives of the same import. */
  | { readonly kind: 'slug_data' }
  /** The authors of an export. */
  | { readonly kind: 'author_data' }
  /** How the project of an export is set up. */
  | { readonly kind: 'settings_data' }
  /** An image, a style sheet, data, … */
  | { readonly kind: 'other' }
  /** What systems, editors and site generators add; not reported. */
  | { readonly kind: 'ignored' };

const FORMATS: Readonly<Record<string, 'markdown' | 'html'>> = {
  md: 'markdown',
  markdown: 'markdown',
  html: 'html',
  htm: 'html',
};
const TEXTS = new Set([
  'mdx',
  'mdown',
  'mkd',
  'txt',
  'text',
  'rst',
  'adoc',
  'asciidoc',
  'org',
  'textile',
  'rtf',
  'doc',
  'docx',
  'odt',
]);
const IGNORED_FOLDERS = new Set(['__MACOSX', 'node_modules', '_layouts', '_includes', '_site']);
/** What an export has beside the posts, for people and other programs. */
const EXPORTED_DATA = /^(?:README\.md|sites\/.*|data\/(?:[a-z]+\.jsonl?))$/;
/** Only an export has it. */
export const EXPORT_MARK = 'data/project.json';

/** Where an export has images, by the names that they are served under. */
const EXPORTED_IMAGE = /^images\/[0-9a-f]{64}\.(?:jpg|png|webp|avif|gif)$/;
export const EXPORTED_IMAGE_DATA = 'data/images.jsonl';
/** Where an export has its authors. */
export const EXPORTED_AUTHORS = 'data/authors.jsonl';
/** Other folders may have such a file for a site generator. */
const EXPORTED_SETTINGS = 'data/settings.json';
/** What an import in several archives has in each. */
const SLUG_DATA = 'data/slugs.jsonl';

/** What the file at `path` is, by its name. @param isExport whether the archive is an export of this product. */
export function classifyPath(path: string, isExport = false): FileKind {
  if (path === EXPORTED_IMAGE_DATA) return { kind: 'image_data' };
  if (path === SLUG_DATA) return { kind: 'slug_data' };
  if (path === EXPORTED_AUTHORS) return { kind: 'author_data' };
  if (isOriginalPath(path)) return { kind: 'original' };
  if (EXPORTED_IMAGE.test(path)) return { kind: 'image' };
  if (isExport && path === EXPORTED_SETTINGS) return { kind: 'settings_data' };
  if (path === EXPORT_MARK || path === 'data/blogs.jsonl') return { kind: 'ignored' };
  if (isExport && EXPORTED_DATA.test(path)) return { kind: 'ignored' };
  const parts = path.split('/');
  if (parts.some((part) => part.startsWith('.') || IGNORED_FOLDERS.has(part))) return { kind: 'ignored' };
  const extension = extensionOf(path);
  const format = FORMATS[extension];
  if (format !== undefined) return { kind: 'post', format };
  return { kind: TEXTS.has(extension) ? 'unsupported' : 'other' };
}

const PICTURES = new Set(['jpg', 'jpeg', 'png', 'webp', 'avif', 'gif']);

/** Whether the name is one of an image that a library may take. */
export const isPicturePath = (path: string): boolean => PICTURES.has(extensionOf(path));

/** In lower case, without the dot; empty without one. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}
