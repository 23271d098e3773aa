import { DATA_LIMITS, type PostData } from '@blog-content/payload-schemas';
import { unprocessable, type FieldError } from '@blog-content/service-runtime';
import type { DataFieldStore } from '../../data-fields/data-field-store.ts';
import { postsNamedIn, readData } from './read-data.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface GivenDataDependencies {
  readonly dataFields: Pick<DataFieldStore, 'find'>;
  readonly blogs: {
    find(projectId: string, blogId: string): Promise<{ readonly id: string } | null>;
    findBySlug(projectId: string, slug: string): Promise<{ readonly id: string } | null>;
  };
}

/**
 * The data of a request as it is stored.
 * @param stored the post's data until now.
 * @throws a 422 problem with each value that its field does not take.
 */
export async function checkGivenData(
  dependencies: GivenDataDependencies,
  projectId: string,
  given: PostData,
  stored: PostData,
): Promise<PostData> {
  const { data, errors } = await readGiven(dependencies, projectId, given, stored);
  const wrong = errors.length > 0 ? errors : sizeErrors(data);
  if (wrong.length > 0) throw unprocessable(wrong);
  return data;
}

/**
 * The data of a file, merged over the post's. Values that their field doesn't take are skipped, and values without a
 * field are kept: each gets a note. Slugs of posts that don't exist yet are kept, too, and are among the `missing`.
 * @throws a 422 problem if it has too many bytes.
 */
export async function readImportedData(
  dependencies: GivenDataDependencies,
  projectId: string,
  given: PostData,
  stored: PostData,
): Promise<{
  readonly data: PostData;
  readonly missing: PostData;
  readonly notes: readonly string[];
  readonly hasSkipped: boolean;
}> {
  const { data, errors, fields } = await readGiven(dependencies, projectId, given, stored);
  const kinds = new Map(fields.map(({ name, kind }) => [name, kind]));
  const refused = new Set(errors.map(({ field }) => field.split('.')[1] ?? ''));
  const kept = [...refused].filter((name) => !kinds.has(name) || isSlugOfField(kinds.get(name), given[name]));
  const undeclared = kept.filter((name) => !kinds.has(name));
  const all = { ...stored, ...data, ...Object.fromEntries(kept.map((name) => [name, given[name]])) };
  const wrong = sizeErrors(all);
  if (wrong.length > 0) throw unprocessable(wrong);
  const skipped = errors.filter(({ field }) => !kept.includes(field.split('.')[1] ?? ''));
  const names = undeclared.slice(0, MAX_NAMED).join(', ');
  return {
    data: all,
    missing: Object.fromEntries(kept.flatMap((name) => (kinds.has(name) ? [[name, given[name]!]] : []))),
    hasSkipped: skipped.length > 0,
    notes: [
      ...(names === '' ? [] : [`Kept but not published, as no data field has that name: ${names}.`]),
      ...skipped.slice(0, MAX_NAMED).map(({ field, message }) => `Skipped ${field}: ${message}.`),
    ],
  };
}

/** Notes on references to posts that were not imported either. */
export const notesOnMissing = (missing: PostData): string[] =>
  Object.entries(missing).map(
    ([name, slug]) => `data.${name} refers to “${String(slug)}”, which does not exist yet. Publish again once it does.`,
  );

/** Most values that notes name. */
const MAX_NAMED = 20;

const isSlugOfField = (kind: string | undefined, value: unknown): boolean =>
  kind === 'post' && typeof value === 'string';

async function readGiven(
  { dataFields, blogs }: GivenDataDependencies,
  projectId: string,
  given: PostData,
  stored: PostData,
) {
  const { document: fields } = await dataFields.find(projectId);
  const posts = new Map<string, string>();
  for (const named of postsNamedIn(fields, given)) {
    const post = UUID.test(named) ? await blogs.find(projectId, named) : await blogs.findBySlug(projectId, named);
    if (post !== null) posts.set(named, post.id);
  }
  return { ...readData({ fields, given, stored, posts }), fields };
}

function sizeErrors(data: PostData): FieldError[] {
  const bytes = Buffer.byteLength(JSON.stringify(data));
  return bytes > DATA_LIMITS.dataBytes
    ? [{ field: 'data', message: `must have at most ${DATA_LIMITS.dataBytes} bytes (got ${bytes})` }]
    : [];
}
