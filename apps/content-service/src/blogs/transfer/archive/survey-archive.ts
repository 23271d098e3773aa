import { IMPORT_LIMITS, slug as slugSchema } from '@blog-content/payload-schemas';
import { unprocessable } from '@blog-content/service-runtime';
import { z } from 'zod';
import { readPost } from '../posts/read-post.ts';
import { eachPathImage, placesOf } from '../posts/rewrite-links.ts';
import { assignSlugs, type AssignedSlugs, type NamedFile } from './assign-slugs.ts';
import { pathLanguages, type LocatedPost, type PathLanguage } from './path-languages.ts';
import type { Archive } from './open-archive.ts';
import { parseLines } from './parse-lines.ts';

/** An archive being read, with its time limit. */
export interface Reading {
  readonly archive: Archive;
  readonly now: Date;
  /** Called before each file. @throws when the reading has taken too long. */
  readonly checkTime: () => void;
}

/** What is known of an archive before anything of it is planned. */
export interface Survey extends AssignedSlugs {
  /** Posts in other archives whose slugs are not known yet, by composed path (NFC). */
  readonly expected: ReadonlySet<string>;
  /** Of posts whose paths tell them, by composed path. */
  readonly languages: ReadonlyMap<string, PathLanguage>;
  /** The pictures that posts show, by composed path, with their alternative texts. */
  readonly shown: ReadonlyMap<string, string>;
}

/**
 * The slugs of an archive's posts by their files, and which pictures they show. Reads each file and keeps nothing else
 * of it, so that memory is bounded for any archive.
 */
export async function surveyArchive({ archive, now, checkTime }: Reading): Promise<Survey> {
  const named: NamedFile[] = [];
  const located: LocatedPost[] = [];
  const shown = new Map<string, string>();
  for (const file of archive.files) {
    checkTime();
    const text = await file.read();
    if ('unreadable' in text) continue;
    const post = readPost({ ...file, ...text }, now);
    if ('problem' in post) continue;
    const { slug, sameBy, isDraft } = post;
    named.push({ path: file.path, slug, sameBy, isDraft });
    const { language = null, translation_key: key = null } = post.fields;
    located.push({ path: file.path, language: language as string | null, hasKey: key !== null });
    const show = (places: readonly string[], alt: string) => {
      const place = places.find((one) => archive.pictures.has(one));
      if (place !== undefined && !shown.get(place)) shown.set(place, alt);
    };
    if (archive.pictures.size === 0) continue;
    for (const hero of post.heroPaths) show(placesOf(hero, file.path), post.heroAlt ?? '');
    eachPathImage(post.content, post.format, file.path, show);
  }
  const elsewhere = await slugsElsewhere(archive);
  // A post's translations may be in other archives of the import.
  const unread = [...elsewhere.slugs.keys(), ...elsewhere.expected];
  const languages = pathLanguages([...unread.map((path) => ({ path, language: null, hasKey: false })), ...located]);
  const files = named.map((file) => ({ ...file, language: languages.get(file.path.normalize())?.language }));
  return { ...assignSlugs(files, elsewhere.slugs), expected: elsewhere.expected, languages, shown };
}

const slugLine = z.object({ file: z.string().max(IMPORT_LIMITS.pathLength), slug: slugSchema.optional() });

/** @throws a 422 problem of `body` when they cannot be read: links would be lost, and slugs given twice. */
async function slugsElsewhere({ slugData }: Archive): Promise<{
  readonly slugs: ReadonlyMap<string, string>;
  readonly expected: ReadonlySet<string>;
}> {
  const slugs = new Map<string, string>();
  const expected = new Set<string>();
  const read = (await slugData?.read()) ?? { text: '' };
  const lines = 'text' in read ? parseLines(read.text, slugLine) : [null];
  for (const line of lines) {
    if (line === null) throw unprocessable([{ field: 'body', message: `has a ${slugData?.path} that cannot be read` }]);
    if (line.slug === undefined) expected.add(line.file.normalize());
    else slugs.set(line.file.normalize(), line.slug);
  }
  return { slugs, expected };
}
