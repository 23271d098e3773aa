import { createWriteStream } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { readAll } from '../api.ts';
import { CommandError, printable, UsageError } from '../command-error.ts';
import type { Command } from './command.ts';

type Count = 'files' | 'waiting' | 'created' | 'updated' | 'skipped' | 'failed';
type Job = { readonly id: string; readonly status: string } & Readonly<Record<Count, number>>;

export const exportProject: Command = {
  usage: `blog export --out <file.zip>

Writes all posts as files with front matter, and all data as JSON. A file that is there is replaced.`,
  options: { out: 'string' },
  async run({ api, values, print, signal }) {
    const out = values['out'];
    if (typeof out !== 'string') throw new UsageError('--out is missing.');
    const { project, ownersOnly } = await api();
    ownersOnly();
    const answer = await project('/export', { signal });
    const unfinished = `${out}.part`;
    try {
      await pipeline(Readable.fromWeb(answer.body!), createWriteStream(unfinished));
      await rename(unfinished, out);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw new CommandError(`The export was cut off: ${(error as Error).message}`);
    }
    print(out);
  },
};

export const importFiles: Command = {
  usage: `blog import <folder or file.zip> [--publish] [--existing update]

Makes posts of Markdown and HTML files. Ends with 1 when a file failed.

  --publish           publish each post that its front matter does not call a draft
  --existing update   edit the post that has a file's slug already; it is left alone otherwise`,
  options: { publish: 'boolean', existing: 'string' },
  async run({ api, positionals, values, print }) {
    const [path, ...others] = positionals;
    if (path === undefined || others.length > 0) throw new UsageError('One folder or archive is needed.');
    const existing = values['existing'] ?? 'skip';
    if (existing !== 'skip' && existing !== 'update') throw new UsageError('--existing must be skip or update.');
    const body = new Uint8Array(await archiveOf(path));
    const { project, ownersOnly } = await api();
    ownersOnly();
    const query = `?publish=${values['publish'] === true}&existing=${existing}`;
    const sent = { method: 'POST', headers: { 'content-type': 'application/zip' }, body };
    let job = (await (await project(`/imports${query}`, sent)).json()) as Job;
    while (job.status !== 'finished') {
      await new Promise((wake) => setTimeout(wake, 500));
      job = (await (await project(`/imports/${job.id}`)).json()) as Job;
    }
    print(`${job.created} created, ${job.updated} updated, ${job.skipped} skipped, ${job.failed} failed`);
    const files = readAll<{ path: string; status: string; message: string | null }>(
      project,
      `/imports/${job.id}/files`,
    );
    for await (const { path: file, status, message } of files) {
      if (message !== null) print(`${status.padEnd(8)}${printable(file)}: ${printable(message)}`);
    }
    return job.failed > 0 ? 1 : 0;
  },
};

/** An archive as it is, or a folder's Markdown and HTML files as one. */
async function archiveOf(path: string): Promise<Buffer> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new CommandError(`There is no ${path}.`);
  if (!found.isDirectory()) return readFile(path);
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:md|markdown|html?)$/i.test(entry.name))
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !file.split('/').some((part) => part.startsWith('.') || part === 'node_modules'))
    .sort();
  if (files.length === 0) throw new CommandError(`${path} has no .md, .markdown, .html or .htm file.`);
  const zip = new ZipFile();
  for (const file of files) zip.addFile(join(path, file), file);
  zip.end();
  return buffer(zip.outputStream);
}
