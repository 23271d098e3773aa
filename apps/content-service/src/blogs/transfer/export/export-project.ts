import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImageStorage } from '@blog-content/image-storage';
import { notFound, type Logger } from '@blog-content/service-runtime';
import type { Response } from 'express';
import { ZipFile } from 'yazl';
import { slugify } from '../../../content/slugify.ts';
import { storageKey } from '../../../images/image-urls.ts';
import { showPublish } from '../../publishing/show-publish.ts';
import { showRevision } from '../../revisions/show-revision.ts';
import type { Blog } from '../../writing/blog-store.ts';
import { showBlogItem } from '../../writing/show-blog.ts';
import { EXPORTED_IMAGE_DATA } from '../posts/classify-path.ts';
import { writePost } from '../posts/write-post.ts';
import { EXPORT_DEADLINE_MS, type ExportedProject, type ExportStore, type Snapshot } from './export-store.ts';

export interface SendExportDependencies {
  readonly exports: ExportStore;
  readonly imageStorage: Pick<ImageStorage, 'get'>;
  readonly clock: () => Date;
  readonly logger: Logger;
}

/**
 * Answers with a ZIP archive of the project: `posts/` with a file for each blog, `images/` with the library's
 * originals, `data/images.jsonl` with their alt texts, `data/project.json`, and
 * `data/blogs.jsonl` with all of every blog in a line. It is made while it is sent, no faster than the client reads.
 * When the client leaves or something breaks, the work ends and the connection is cut: what was sent lacks its table of
 * contents, so no archive is mistaken for a whole one.
 */
export async function sendExport(
  { exports, imageStorage, clock, logger }: SendExportDependencies,
  projectId: string,
  response: Response,
): Promise<void> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(EXPORT_DEADLINE_MS)]);
  response.once('close', () => {
    leaving.abort();
  });
  try {
    const sent = await exports.read(projectId, async (snapshot) => {
      const now = clock();
      response
        .set('Content-Disposition', `attachment; filename="${fileName(snapshot.project, now)}"`)
        .type('application/zip');
      const zip = new ZipFile();
      const sending = pipeline(Readable.from(zip.outputStream, { objectMode: false }), response, {
        signal,
        end: false,
      });
      await Promise.all([sending, fill(zip, snapshot, imageStorage, now, signal)]);
      return true;
    });
    if (sent === null) throw notFound('No such project.');
    response.end();
  } catch (error) {
    if (!response.headersSent && !signal.aborted) throw error;
    if (leaving.signal.aborted) logger.info('export.left', { project_id: projectId });
    else logger.warn('export.cut_off', { project_id: projectId, error });
    response.destroy();
  }
}

async function fill(
  zip: ZipFile,
  snapshot: Snapshot,
  imageStorage: Pick<ImageStorage, 'get'>,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  for await (const blog of snapshot.blogs()) {
    const { path, text } = writePost(blog);
    await addFile(zip, path, [text], blog.updatedAt, signal);
  }
  const lines: string[] = [];
  for await (const image of snapshot.images()) {
    const stored = await imageStorage.get(storageKey(image));
    // One that is just being deleted is no reason to have no export.
    if (stored === null) continue;
    const file = `images/${image.sha256}.${image.ext}`;
    await addFile(zip, file, stored.body, image.createdAt, signal);
    const { alt, name, source, createdAt } = image;
    lines.push(`${JSON.stringify({ file, alt, name, source, created_at: createdAt })}\n`);
  }
  if (lines.length > 0) await addFile(zip, EXPORTED_IMAGE_DATA, lines, now, signal);
  const { id, name, siteUrl, createdAt } = snapshot.project;
  const project = { id, name, site_url: siteUrl, created_at: createdAt, exported_at: now };
  await addFile(zip, 'data/project.json', [`${JSON.stringify(project, null, 2)}\n`], now, signal);
  await addFile(zip, 'data/blogs.jsonl', allData(snapshot), now, signal);
  zip.end();
}

/** Adds a file and waits until it is written, so that one at a time is in memory. */
function addFile(
  zip: ZipFile,
  path: string,
  pieces: Iterable<string> | AsyncIterable<string | Buffer>,
  mtime: Date,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // The archive keeps every function until it ends, so this one drops the content once it is read.
    let content: typeof pieces | null = pieces;
    zip.addReadStreamLazy(path, { mtime }, (pump) => {
      const stream = Readable.from(content ?? [], { objectMode: false });
      content = null;
      const leave = () => stream.destroy(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true });
      stream.once('error', reject);
      stream.once('close', () => {
        signal.removeEventListener('abort', leave);
        resolve();
      });
      pump(null, stream);
    });
  });
}

/** A line of JSON for each blog, in pieces: one blog may have a thousand revisions. */
async function* allData(snapshot: Snapshot): AsyncGenerator<string> {
  for await (const blog of snapshot.blogs()) {
    yield `${JSON.stringify(showAll(blog)).slice(0, -1)},"revisions":[`;
    let comma = '';
    for await (const revision of snapshot.revisions(blog.id)) {
      yield comma + JSON.stringify({ ...showRevision(revision), excerpt: revision.excerpt });
      comma = ',';
    }
    yield '],"publishes":[';
    comma = '';
    for await (const publish of snapshot.publishes(blog.id)) {
      yield comma + JSON.stringify({ ...showPublish(publish), requested_by: publish.requestedBy });
      comma = ',';
    }
    yield ']}\n';
  }
}

/** The working copy in whole; the excerpt as the author gave it. */
function showAll(blog: Blog) {
  return {
    ...showBlogItem(blog),
    excerpt: blog.excerpt,
    content: blog.content,
    content_markdown: blog.contentMarkdown,
    publish_at_set_by: blog.publishAtSetBy,
    published_revision: blog.state === 'published' ? blog.revision : null,
  };
}

/** ASCII letters, digits and hyphens only, whatever the project is called. */
function fileName({ name }: ExportedProject, now: Date): string {
  return `${slugify(name).slice(0, 80)}-${now.toISOString().slice(0, 10)}.zip`;
}
