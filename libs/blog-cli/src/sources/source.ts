/** A file of what is imported. Nothing of it is read before. */
export interface SourceFile {
  /** With `/` between folders. */
  readonly path: string;
  readonly size: number;
  read(): Promise<Buffer>;
}

/** A folder, or an archive, with its files in the order of their paths. */
export interface Source {
  readonly files: readonly SourceFile[];
  /** What of it is left out, as sentences. */
  readonly notes: readonly string[];
  close(): void;
}

export const isPostPath = (path: string): boolean => /\.(?:md|markdown|html?)$/i.test(path);
/** What an export of a project has for its images. */
export const isImagePath = (path: string): boolean => /^images\/[0-9a-f]{64}\.(?:jpg|png|webp|avif|gif)$/.test(path);
/** What may be an image that posts show by its path. */
export const isPicturePath = (path: string): boolean => /\.(?:jpe?g|png|webp|avif|gif)$/i.test(path);
export const IMAGE_DATA = 'data/images.jsonl';
/** Who wrote the posts. */
export const AUTHOR_DATA = 'data/authors.jsonl';
/** How the project of an export is set up, its data fields among it. */
export const SETTINGS_DATA = 'data/settings.json';

/** Texts in formats that the service does not read, which somebody may have meant as posts. */
const OTHER_TEXTS = /\.(?:mdx|mdown|mkd|txt|text|rst|adoc|asciidoc|org|textile|rtf|docx?|odt)$/i;
export const isOtherText = (path: string): boolean => OTHER_TEXTS.test(path);

/** What systems, editors and site generators keep for themselves, which the service does not read either. */
const HIDDEN = new Set(['node_modules', '__MACOSX', '_layouts', '_includes', '_site']);

export const isHidden = (path: string): boolean =>
  path.split('/').some((part) => part.startsWith('.') || HIDDEN.has(part));

/** Only an export of a project has it. */
export const EXPORT_MARK = 'data/project.json';
/** What such an export has for people and site generators. */
export const isOfExport = (path: string): boolean => /^(?:README\.md|sites\/)/.test(path);
