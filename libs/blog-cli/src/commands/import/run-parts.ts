import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { readAll, type Api } from '../../api.ts';
import { CommandError, printable, RefusedCall } from '../../command-error.ts';
import { isPicturePath, type SourceFile } from '../../sources/source.ts';
import type { Part } from '../../sources/split-files.ts';

type Project = Api['project'];
const COUNTS = ['created', 'updated', 'skipped', 'failed'] as const;
export type Counts = Record<(typeof COUNTS)[number], number>;
type Job = { readonly id: string; readonly status: string } & Readonly<Counts>;

export interface PlannedFile {
  readonly path: string;
  readonly outcome: 'create' | 'update' | 'skip' | 'fail';
  readonly slug: string | null;
  readonly publish: boolean;
  readonly message: string | null;
}

/** The slugs of files by their paths; null for those that are not known yet. */
export type Slugs = ReadonlyMap<string, string | null>;

/** How one part is sent. */
export interface Sending {
  readonly project: Project;
  /** Of the address. */
  readonly query: string;
  readonly signal: AbortSignal;
}

const SLUG_DATA = 'data/slugs.jsonl';
const POLL_MS = 500;
/** How often a part is sent again to a service that has no room for it, or does not answer. */
const MAX_TRIES = 10;
const RETRY_MS = 2_000;

/** What an import of the part would do. @param slugs of the files of other parts. */
export async function planPart(sending: Sending, part: Part, slugs: Slugs): Promise<PlannedFile[]> {
  const { bytes, unread } = await pack(part, slugs);
  const answer = await send(sending, '/imports/plan', bytes);
  const { items } = (await answer.json()) as { items: PlannedFile[] };
  return [...items, ...unread.map((message) => ({ ...message, outcome: 'fail' as const, slug: null, publish: false }))];
}

/**
 * Imports the part, and prints what is to be said of its files.
 *
 * @param slugs of the files of all parts.
 * @param keep gets the report on each of its files.
 */
export async function importPart(
  sending: Sending,
  part: Part,
  slugs: Slugs,
  print: (line: string) => void,
  keep: (report: string) => void,
): Promise<Counts> {
  const { project, signal } = sending;
  const { bytes, unread } = await pack(part, slugs);
  for (const { path, message } of unread) {
    const line = `failed  ${printable(path)}: ${printable(message)}`;
    print(line);
    keep(`${line}\n`);
  }
  if (bytes === null) return { created: 0, updated: 0, skipped: 0, failed: unread.length };
  let job = (await (await send(sending, '/imports', bytes)).json()) as Job;
  while (job.status !== 'finished') {
    await new Promise((wake) => setTimeout(wake, POLL_MS));
    signal.throwIfAborted();
    job = (await (await project(`/imports/${job.id}`)).json()) as Job;
  }
  const files = readAll<{ path: string; status: string; message: string | null }>(project, `/imports/${job.id}/files`);
  for await (const { path, status, message } of files) {
    if (message !== null) print(`${status.padEnd(8)}${printable(path)}: ${printable(message)}`);
  }
  keep(await (await project(`/imports/${job.id}/report`)).text());
  const { created, updated, skipped, failed } = job;
  return { created, updated, skipped, failed: failed + unread.length };
}

/** Waits while the service reads the archives of others. The same import is made once, however often it is sent. */
async function send({ project, query, signal }: Sending, path: string, bytes: Uint8Array | null): Promise<Response> {
  if (bytes === null) return Response.json({ items: [] });
  const headers = { 'content-type': 'application/zip', 'idempotency-key': randomUUID() };
  for (let tries = 1; ; tries += 1) {
    try {
      return await project(path + query, { method: 'POST', headers, body: new Uint8Array(bytes) });
    } catch (error) {
      const mayPass = error instanceof RefusedCall && [429, 500, 503].includes(error.status);
      if (!mayPass || tries === MAX_TRIES || signal.aborted) throw error;
      await new Promise((wake) => setTimeout(wake, RETRY_MS));
    }
  }
}

interface Packed {
  /** Null when nothing of the part can be read. */
  readonly bytes: Uint8Array | null;
  readonly unread: readonly { readonly path: string; readonly message: string }[];
}

async function pack({ files, beside }: Part, slugs: Slugs): Promise<Packed> {
  const zip = new ZipFile();
  const unread: Packed['unread'][number][] = [];
  for (const file of [...files, ...beside]) {
    try {
      const options = isPicturePath(file.path) ? { compressionLevel: 1 } : {};
      zip.addBuffer(await file.read(), file.path, options);
    } catch (error) {
      unread.push({ path: file.path, message: (error as Error).message });
    }
  }
  if (slugs.size > 0) {
    const lines = [...slugs].map(([file, slug]) => JSON.stringify({ file, ...(slug !== null && { slug }) }));
    zip.addBuffer(Buffer.from(lines.join('\n')), SLUG_DATA);
  }
  zip.end();
  const bytes = await buffer(zip.outputStream);
  const isUnread = (file: SourceFile) => unread.some(({ path }) => path === file.path);
  return { bytes: files.every(isUnread) ? null : bytes, unread };
}

/** `2 created, 0 updated, …` */
export const countsText = (counts: Counts): string => COUNTS.map((name) => `${counts[name]} ${name}`).join(', ');

export const noCounts = (): Counts => ({ created: 0, updated: 0, skipped: 0, failed: 0 });

export function addCounts(total: Counts, more: Counts): void {
  for (const name of COUNTS) total[name] += more[name];
}

/** @throws CommandError for a folder without a post. */
export function requireFiles(parts: readonly Part[], path: string, notes: readonly string[]): void {
  if (parts.length === 0)
    throw new CommandError([`${path} has no .md, .markdown, .html or .htm file.`, ...notes].join(' '));
}
