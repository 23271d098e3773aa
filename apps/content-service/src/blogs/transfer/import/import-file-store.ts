import { Prisma } from '../../../generated/prisma/client.ts';
import type { Database, Transaction } from '../../../platform/database/open-database.ts';
import type { ImportAuthor, ImportDataFields, ImportImage, ImportPost, PlannedFile } from '../archive/plan-import.ts';

/** What one statement writes: in files, and in characters of posts with bytes of images. */
const MAX_BATCH_FILES = 100;
const MAX_BATCH_LENGTH = 1_000_000;
/** Most bytes of an image in one statement: a busy machine ends each in its time-out. */
const MAX_PART_BYTES = 1024 * 1024;

type Kept = ImportPost | ImportImage | ImportAuthor | ImportDataFields;

interface KeptFile {
  readonly importId: string;
  readonly number: number;
  readonly post: Kept;
}

/** What a file's row has of an image that waits: its bytes are in parts of their own. */
type StoredImage = Omit<ImportImage, 'image'> & { readonly image: null; readonly length: number };

function isStoredImage(post: Kept | StoredImage): post is StoredImage {
  return 'image' in post && post.image === null;
}

/** Writes the files of a new import, a batch at a time. @returns whether there is anything to do. */
export async function insertFiles(
  tx: Transaction,
  importId: string,
  files: AsyncIterable<PlannedFile>,
): Promise<boolean> {
  let hasWaiting = false;
  let number = 0;
  let length = 0;
  let batch: Prisma.ImportFileCreateManyInput[] = [];
  let images: { readonly number: number; readonly bytes: Buffer<ArrayBuffer> }[] = [];
  const write = async () => {
    if (batch.length > 0) await tx.importFile.createMany({ data: batch });
    for (const { number, bytes } of images) await insertImage(tx, importId, number, bytes);
    batch = [];
    images = [];
    length = 0;
  };
  const store = (post: Kept): Exclude<Kept, ImportImage> | StoredImage => {
    if ('author' in post || 'dataFields' in post) return post;
    if (!('image' in post)) {
      length += (post.request.content ?? post.request.content_markdown ?? '').length;
      return post;
    }
    const bytes = Buffer.from(post.image, 'base64');
    images.push({ number, bytes });
    length += bytes.length;
    return { ...post, image: null, length: bytes.length };
  };
  for await (const file of files) {
    number += 1;
    const { path, status } = file;
    if (status === 'waiting') {
      const notes = 'notes' in file.post ? file.post.notes : [];
      const message = notes.length > 0 ? notes.join(' ') : null;
      const post = store(file.post) as unknown as Prisma.InputJsonObject;
      batch.push({ importId, number, path, status, message, post });
      hasWaiting = true;
    } else batch.push({ importId, number, path, status, message: file.message });
    if (batch.length >= MAX_BATCH_FILES || length >= MAX_BATCH_LENGTH) await write();
  }
  await write();
  return hasWaiting;
}

async function insertImage(
  tx: Transaction,
  importId: string,
  number: number,
  bytes: Buffer<ArrayBuffer>,
): Promise<void> {
  for (let part = 0; part * MAX_PART_BYTES < bytes.length; part += 1) {
    const from = part * MAX_PART_BYTES;
    const data = { importId, number, part, bytes: bytes.subarray(from, from + MAX_PART_BYTES) };
    await tx.importImagePart.create({ data });
  }
}

/** The file, an image with its bytes; null when these are gone: somebody else has taken the file meanwhile. */
export async function withImage<File extends KeptFile>(
  database: Database | Transaction,
  file: File,
): Promise<File | null> {
  if (!isStoredImage(file.post)) return file;
  const { importId, number } = file;
  const { length, ...post } = file.post;
  const parts: Uint8Array[] = [];
  for (let part = 0; part * MAX_PART_BYTES < length; part += 1) {
    const found = await database.importImagePart.findUnique({
      where: { importId_number_part: { importId, number, part } },
    });
    if (found === null) return null;
    parts.push(found.bytes);
  }
  return { ...file, post: { ...post, image: Buffer.concat(parts).toString('base64') } };
}

/**
 * Marks translations as up to date once the import has created or updated both posts. It is called for each of them.
 * A source that the import left alone may differ from the exported one, so it doesn't count.
 */
export async function noteCurrentTranslations(
  tx: Transaction,
  { importId, post }: { readonly importId: string; readonly post: Pick<ImportPost, 'currentTranslations'> },
  { blogId, slug }: { readonly blogId: string | null; readonly slug?: string },
): Promise<void> {
  const pairs = post.currentTranslations ?? [];
  if (pairs.length === 0 || slug === undefined) return;
  // Of two replicas that bring the two posts, the later one sees what the earlier has brought.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`translations ${importId}`}, 0))`;
  const pair = Prisma.join(pairs.map(({ source, translation }) => Prisma.sql`(${source}, ${translation})`));
  await tx.$executeRaw`
    WITH brought AS (
      SELECT slug, blog_id AS id FROM import_file
      WHERE import_id = ${importId}::uuid AND slug IS NOT NULL AND status IN ('created', 'updated')
      UNION SELECT ${slug}, ${blogId}::uuid
    )
    INSERT INTO translation_source (blog_id, source_id, revision)
    SELECT DISTINCT ON (blog.id) blog.id, source.id, source.revision
    FROM (VALUES ${pair}) AS pair (source, translation)
    JOIN brought from_source ON from_source.slug = pair.source JOIN blog source ON source.id = from_source.id
    JOIN brought from_translation ON from_translation.slug = pair.translation
    JOIN blog ON blog.id = from_translation.id
    WHERE blog.id <> source.id AND blog.state <> 'deleted' AND source.state <> 'deleted'
      AND blog.extra ->> 'translation_key' = source.extra ->> 'translation_key'
    ORDER BY blog.id, source.id
    ON CONFLICT (blog_id) DO UPDATE SET source_id = excluded.source_id, revision = excluded.revision`;
}
