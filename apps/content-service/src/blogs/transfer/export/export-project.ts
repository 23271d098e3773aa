import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImageStorage } from '@blog-content/image-storage';
import type { ExportRequest as ExportBody } from '@blog-content/payload-schemas';
import { notFound, tooManyRequests, untilClosed, type Logger } from '@blog-content/service-runtime';
import type { Response } from 'express';
import { ZipFile, type Options } from 'yazl';
import { slugify } from '../../../content/slugify.ts';
import { authorStateOf } from '../../../projects/project-change-store.ts';
import { storageKey } from '../../../images/image-urls.ts';
import type { Image } from '../../../images/library/image-store.ts';
import { EXPORTED_AUTHORS, EXPORTED_IMAGE_DATA } from '../posts/classify-path.ts';
import type { ExportFormat } from '../portable/portable-content.ts';
import type { Targets } from '../portable/portable-markdown.ts';
import { withRelativeImages } from '../portable/portable-images.ts';
import type { PortableWriter } from '../portable/portable-writer.ts';
import { siteFiles } from '../portable/site/site-files.ts';
import { writePostFiles } from '../portable/write-post-files.ts';
import { allData } from './all-data.ts';
import { showSettings } from './show-settings.ts';
import type { ExportPlace, ExportPlaces } from './export-places.ts';
import { EXPORT_IDLE_MS, type ExportedProject, type ExportStore, type Snapshot } from './export-store.ts';

export interface SendExportDependencies {
  readonly exports: ExportStore;
  readonly exportPlaces: ExportPlaces;
  readonly portableWriter: Pick<PortableWriter, 'write'>;
  readonly imageStorage: Pick<ImageStorage, 'get'>;
  readonly clock: () => Date;
  readonly logger: Logger;
}

/** How long an export may take with its images, in milliseconds. */
const EXPORT_WITH_IMAGES_MS = 3 * 3_600_000;
/** Images hardly get smaller. Without any compression, programs that read archives from front to back find no end. */
const IMAGE_COMPRESSION = 1;
const RETRY_AFTER_S = 10;

/** What is asked for. */
export interface ExportRequest {
  readonly projectId: string;
  /** The account that asks. */
  readonly requestedBy: string;
  readonly format: ExportFormat;
  /** What the caller wants in the archive of another service. */
  readonly webhooks: ExportBody['webhooks'] | null;
}

/**
 * Answers with a ZIP archive of the project: `README.md`, `sites/` and `posts/` for site generators, `data/` with all
 * of it as JSON, then `images/` with every original of the library and `data/images.jsonl` with their alt texts. It is
 * made while it is sent, no faster than the client reads. When the client leaves or something breaks, the work ends and
 * the connection is cut: what was sent lacks its table of contents, so no archive is mistaken for a whole one. The same
 * when it reads so slowly that it loses its place.
 *
 * @throws a 429 problem when there is no place for it; 404 for a project that is not there.
 */
export async function sendExport(
  { exports, exportPlaces, portableWriter, imageStorage, clock, logger }: SendExportDependencies,
  { projectId, requestedBy, format, webhooks }: ExportRequest,
  response: Response,
): Promise<void> {
  const place = exportPlaces.take([projectId, requestedBy]);
  if (place === null) throw tooManyRequests('Another export is running. Try again shortly.', RETRY_AFTER_S);
  const cuttingOff = new AbortController();
  const left = untilClosed(response);
  onAbort(left, () => place.leave());
  // Also when all is sent but not read off.
  onAbort(place.lost, () => response.destroy());
  const signal = AbortSignal.any([place.lost, left, cuttingOff.signal, AbortSignal.timeout(EXPORT_WITH_IMAGES_MS)]);
  const zip = new ZipFile();
  const now = clock();
  const cutOff = (reason: unknown) => {
    cuttingOff.abort(reason);
  };
  let sending: Promise<void> | undefined;
  try {
    const sent = await exports.read(projectId, async (snapshot) => {
      response
        .set('Content-Disposition', `attachment; filename="${fileName(snapshot.project, now)}"`)
        .type('application/zip');
      sending = pipeline(whileRead(zip.outputStream as Readable, place, cutOff), response, { signal, end: false });
      sending.catch(cutOff);
      await addRows({ zip, snapshot, now, signal, webhooks }, portableWriter, format);
      return true;
    });
    if (sent === null) throw notFound('Project not found.');
    await addImages(zip, () => exports.images(projectId), imageStorage, now, signal);
    zip.end();
    await sending;
    place.awaitReader(0);
    response.end();
  } catch (error) {
    if (!response.headersSent && !signal.aborted) throw error;
    if (left.aborted && signal.reason === left.reason) logger.info('export.left', { project_id: projectId });
    else logger.warn('export.cut_off', { project_id: projectId, error });
    response.destroy();
  }
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

/**
 * Gives chunks on, and tells the place when its reader is waited for.
 *
 * @param onIdle called when nobody has asked for the next one in time.
 */
async function* whileRead(
  chunks: AsyncIterable<Buffer>,
  place: ExportPlace,
  onIdle: (reason: Error) => void,
): AsyncGenerator<Buffer> {
  const idle = setTimeout(() => onIdle(new Error('The client stopped reading.')), EXPORT_IDLE_MS);
  try {
    for await (const chunk of chunks) {
      idle.refresh();
      place.awaitReader(chunk.length);
      yield chunk;
      place.noteRead();
    }
  } finally {
    clearTimeout(idle);
  }
}

interface Rows {
  readonly zip: ZipFile;
  readonly snapshot: Snapshot;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly webhooks: ExportRequest['webhooks'];
}

async function addRows(
  { zip, snapshot, now, signal, webhooks }: Rows,
  portableWriter: SendExportDependencies['portableWriter'],
  format: ExportFormat,
): Promise<void> {
  const add = (path: string, pieces: Parameters<typeof addFile>[2], mtime = now) =>
    addFile(zip, path, pieces, { mtime }, signal);
  const addJson = (name: string, value: unknown) => add(`data/${name}.json`, [`${JSON.stringify(value, null, 2)}\n`]);
  const { id, name, siteUrl, createdAt } = snapshot.project;
  for (const { path, text } of siteFiles(name, siteUrl)) await add(path, [text]);
  const [targets, images] = [await snapshot.targets(), await snapshot.imageNames()];
  const surroundings = {
    format,
    targets,
    images,
    aliases: aliasesOf(targets),
    slugs: await snapshot.slugs(),
    translations: await snapshot.currentTranslations(),
  };
  for await (const blog of snapshot.blogs()) {
    const content = await portableWriter.write(blog, surroundings);
    for (const { path, text } of writePostFiles(blog, content, surroundings)) await add(path, [text], blog.updatedAt);
  }
  await addJson('project', { id, name, site_url: siteUrl, created_at: createdAt, exported_at: now });
  const { authors, ...settings } = await snapshot.settings();
  await addJson('settings', showSettings(settings));
  const lines = authors.map((author) => `${JSON.stringify(authorStateOf(author))}\n`);
  if (lines.length > 0) await add(EXPORTED_AUTHORS, [withRelativeImages(lines.join(''), id, images)]);
  await addJson('redirects', redirectsOf(targets));
  if (webhooks !== null) await addJson('webhooks', webhooks);
  await add('data/blogs.jsonl', allData(snapshot));
}

/** The former slugs of each post. */
function aliasesOf(targets: Targets): Map<string, string[]> {
  const former = [...targets].filter(([named, { slug }]) => named !== slug);
  const byPost = Map.groupBy(former, ([, { slug }]) => slug);
  return new Map([...byPost].map(([slug, entries]) => [slug, entries.map(([named]) => named)]));
}

const redirectsOf = (targets: Targets) =>
  [...targets]
    .filter(([named, { slug }]) => named !== slug)
    .map(([named, { slug }]) => ({ from: `/blog/${named}/`, to: `/blog/${slug}/`, status: 301 }));

async function addImages(
  zip: ZipFile,
  images: () => AsyncGenerator<Image>,
  imageStorage: Pick<ImageStorage, 'get'>,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const added = new Set<string>();
  let isEmpty = true;
  for await (const image of images()) {
    isEmpty = false;
    const stored = await imageStorage.get(storageKey(image));
    // One that is just being deleted is no reason to have no export.
    if (stored === null) continue;
    const options = { mtime: image.createdAt, compressionLevel: IMAGE_COMPRESSION };
    await addFile(zip, fileOf(image), stored.body, options, signal).finally(() => stored.body.destroy());
    added.add(image.sha256);
  }
  if (!isEmpty) await addFile(zip, EXPORTED_IMAGE_DATA, imageData(images(), added), { mtime: now }, signal);
}

/** A line of JSON for each image, which says so where the archive does not have it. */
async function* imageData(images: AsyncGenerator<Image>, added: ReadonlySet<string>): AsyncGenerator<string> {
  for await (const image of images) {
    const { alt, name, source, createdAt } = image;
    const isMissing = !added.has(image.sha256) && { missing: true };
    yield `${JSON.stringify({ file: fileOf(image), alt, name, source, created_at: createdAt, ...isMissing })}\n`;
  }
}

const fileOf = ({ sha256, ext }: Image): string => `images/${sha256}.${ext}`;

/** Adds a file and waits until it is written, so that one at a time is in memory. */
function addFile(
  zip: ZipFile,
  path: string,
  pieces: Iterable<string> | AsyncIterable<string | Buffer>,
  options: Partial<Pick<Options, 'mtime' | 'compressionLevel'>>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // The archive keeps every function until it ends, so this one drops the content once it is read.
    let content: typeof pieces | null = pieces;
    let stream: Readable | undefined;
    // Also before the archive comes to this file: once nobody reads it, it never does.
    const leave = () => {
      stream?.destroy(signal.reason as Error);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
    zip.addReadStreamLazy(path, options, (pump) => {
      stream = Readable.from(content ?? [], { objectMode: false });
      content = null;
      stream.once('error', reject);
      stream.once('close', () => {
        signal.removeEventListener('abort', leave);
        resolve();
      });
      pump(null, stream);
    });
  });
}

/** ASCII letters, digits and hyphens only, for any project name. */
function fileName({ name }: ExportedProject, now: Date): string {
  return `${slugify(name).slice(0, 80)}-${now.toISOString().slice(0, 10)}.zip`;
}
