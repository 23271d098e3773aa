import { urlWithoutPlaceholders } from '@blog-content/link-resolver';
import { httpUrl } from '@blog-content/payload-schemas';
import { namesPicture } from '../rewrite-links.ts';
import type { FrontEntry, FrontMatter } from './read-front-matter.ts';

type Entries = Extract<FrontMatter, { readonly body: string }>['entries'];

const TRUE = new Set(['true', 'yes', 'on', '1', 'y', 't']);
const FALSE = new Set(['false', 'no', 'off', '0', 'n', 'f']);
const MAX_QUOTED = 60;
const MAX_STATE = 200;
/** Most keys that one sentence names. */
const MAX_NAMED = 30;

/** What the value says of yes or no; null for anything else. */
export function flagOf({ value }: FrontEntry): boolean | null {
  const text = textOf(value)?.trim().toLowerCase() ?? '';
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : null;
}

/** A value as one text: the first one of a list. */
export const textOf = (value: FrontEntry['value']): string | null =>
  typeof value === 'string' ? value : (value?.[0] ?? null);

export const isEmpty = ({ value }: FrontEntry): boolean =>
  value === null || (typeof value === 'string' ? value.trim() === '' : value.length === 0);

function entryText({ key, value }: FrontEntry): string {
  const text = typeof value === 'string' || value === null ? (value ?? '') : `[${value.join(', ')}]`;
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  return `\`${`${key}: ${short.replaceAll(/\s+/g, ' ')}`.trim().toWellFormed()}\``;
}

/** The values of front matter by what they mean. Notes what was left out, and which keys nobody has asked for. */
export class FrontReader {
  readonly entries: Entries;
  readonly notes: string[] = [];
  /** What the post was in an export that the command line has made the file of, as a clause; null for other files. */
  readonly exportedState: string | null;
  readonly #used = new Set<string>();

  constructor(entries: Entries) {
    this.entries = entries;
    this.exportedState =
      this.text('exportedstate')?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_STATE).toWellFormed() || null;
  }

  /** An entry as it is written, and where: “`draft: true` (line 3)”. Nobody has seen the lines of a made file. */
  quoted(entry: FrontEntry): string {
    return `${entryText(entry)}${this.exportedState === null ? ` (line ${entry.line})` : ' in the export'}`;
  }

  /** The entry under the first of the names that has a value. Its key is imported then, or what became of it noted. */
  use(...names: readonly string[]): FrontEntry | null {
    for (const name of names) {
      const entry = this.entries.get(name);
      if (entry === undefined || entry.value === null) continue;
      this.#used.add(name);
      return entry;
    }
    return null;
  }

  text(...names: string[]): string | null {
    const entry = this.use(...names);
    return entry === null ? null : textOf(entry.value);
  }

  flag(name: string): boolean | null {
    const entry = this.use(name);
    return entry === null ? null : flagOf(entry);
  }

  /** Labels of all of the names. @param bySpaces whether a text without commas is several words, as Jekyll has it. */
  labels(names: readonly string[], bySpaces: readonly string[]): string[] | null {
    const labels = names.flatMap((name) => {
      const entry = this.use(name);
      if (typeof entry?.value !== 'string') return entry?.value ?? [];
      const { value } = entry;
      if (value.includes(',')) return value.split(',');
      if (bySpaces.includes(name)) return value.split(/\s+/);
      if (name === names[0] && /\S\s+\S/.test(value)) {
        this.notes.push(`${this.quoted(entry)} was read as one label. Separate several with commas.`);
      }
      return [value];
    });
    const given = [...new Set(labels.map((label) => label.trim()).filter((label) => label !== ''))];
    return names.some((name) => (this.entries.get(name)?.value ?? null) !== null) ? given : null;
  }

  /**
   * The URLs of the first of the names that has some that can be taken; notes on those that cannot.
   *
   * @param paths gets the paths of images, of which nothing is noted.
   */
  urls(names: readonly string[], paths?: string[]): string[] | null {
    let found: string[] | null = null;
    for (const name of names) {
      const { key, value } = this.use(name) ?? { key: '', value: null };
      if (value === null) continue;
      const all = (typeof value === 'string' ? [value] : value).filter((url) => url.trim() !== '');
      const given = paths === undefined ? all : all.filter((url) => !namesPicture(url));
      paths?.push(...all.filter((url) => namesPicture(url)));
      const urls = given.filter((url) => httpUrl.safeParse(url).success);
      if (urls.length < given.length) this.notes.push(`Skipped ${key}: not an absolute http(s) URL.`);
      const kept = urls.filter((url) => urlWithoutPlaceholders(url) !== null);
      if (kept.length < urls.length) this.notes.push(`Skipped ${key}: it contains a link placeholder.`);
      if (kept.length > 0) return kept;
      found ??= kept;
    }
    return found;
  }

  /** A sentence on the keys that were not asked for, and have a value. */
  noteOnOthers(): string[] {
    const others = [...this.entries].flatMap(([name, entry]) =>
      this.#used.has(name) || isEmpty(entry) || isLayout(name, entry) ? [] : [entry.key],
    );
    if (others.length === 0) return [];
    const more = others.length > MAX_NAMED ? ` and ${others.length - MAX_NAMED} more` : '';
    return [`Not imported: ${others.slice(0, MAX_NAMED).join(', ')}${more}.`];
  }
}

/** What says no more than that it is a post. */
const isLayout = (name: string, { value }: FrontEntry): boolean =>
  ['layout', 'template', 'type'].includes(name) && /post|blog|article/i.test(textOf(value) ?? '');
