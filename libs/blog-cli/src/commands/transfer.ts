import { createWriteStream } from 'node:fs';
import { lstat, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { readAll } from '../api.ts';
import { CommandError, printable, UsageError } from '../command-error.ts';
import { sentenceOn, UnreadableExport, type ReadExport } from '../exports/exported-post.ts';
import { readGhost } from '../exports/read-ghost.ts';
import { readWordPress } from '../exports/read-wordpress.ts';
import { writeFiles, type ImportFiles } from '../exports/write-files.ts';
import type { Command, CommandContext } from './command.ts';

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
  usage: `blog import <folder or file.zip> [--publish] [--existing update] [--host-images]
blog import <export> --from wordpress|ghost [--site <address>] [--redirects <file>] …

Makes posts of Markdown and HTML files, or of what another program has exported. Ends with 1 when a file failed.

  --from wordpress    an export of WordPress: Tools → Export, an XML file
  --from ghost        an export of Ghost: Settings → Import/Export, a JSON file
  --site <address>    where the blog is, for an export of Ghost, which leaves that open
  --redirects <file>  write old and new paths of published posts, a line each, as hosts of static sites read them
  --host-images       copy the images of posts, as far as they can be fetched
  --publish           publish each post that is not called a draft
  --existing update   edit the post that has a file's slug already; it is left alone otherwise`,
  options: {
    publish: 'boolean',
    existing: 'string',
    from: 'string',
    site: 'string',
    redirects: 'string',
    'host-images': 'boolean',
  },
  async run({ api, positionals, values, print }) {
    const [path, ...others] = positionals;
    if (path === undefined || others.length > 0) throw new UsageError('One folder or file is needed.');
    const existing = values['existing'] ?? 'skip';
    if (existing !== 'skip' && existing !== 'update') throw new UsageError('--existing must be skip or update.');
    const { archives, redirects, notes } = await readSource(path, values);
    const { project, ownersOnly } = await api();
    ownersOnly();
    const images = values['host-images'] === true ? '&images=host' : '';
    const query = `?publish=${values['publish'] === true}&existing=${existing}${images}`;
    let failed = 0;
    for (const archive of archives) {
      const sent = { method: 'POST', headers: { 'content-type': 'application/zip' }, body: new Uint8Array(archive) };
      failed += await showImport(project, (await (await project(`/imports${query}`, sent)).json()) as Job, print);
    }
    for (const note of notes) print(printable(note));
    if (redirects.length > 0) print(await keepRedirects(redirects, values['redirects']));
    return failed > 0 ? 1 : 0;
  },
};

/** Waits until an import is finished, and prints what became of it; resolves to how many files failed. */
async function showImport(project: Project, begun: Job, print: (line: string) => void): Promise<number> {
  let job = begun;
  while (job.status !== 'finished') {
    await new Promise((wake) => setTimeout(wake, 500));
    job = (await (await project(`/imports/${job.id}`)).json()) as Job;
  }
  print(`${job.created} created, ${job.updated} updated, ${job.skipped} skipped, ${job.failed} failed`);
  const files = readAll<{ path: string; status: string; message: string | null }>(project, `/imports/${job.id}/files`);
  for await (const { path: file, status, message } of files) {
    if (message !== null) print(`${status.padEnd(8)}${printable(file)}: ${printable(message)}`);
  }
  return job.failed;
}

type Project = Awaited<ReturnType<CommandContext['api']>>['project'];

interface Source extends Pick<ImportFiles, 'redirects'>, Pick<ReadExport, 'notes'> {
  readonly archives: readonly Buffer[];
}

async function readSource(path: string, { from, site }: CommandContext['values']): Promise<Source> {
  if (from === undefined) {
    const { archive, notes } = await archiveOf(path);
    return { archives: [archive], redirects: [], notes };
  }
  if (from !== 'wordpress' && from !== 'ghost') throw new UsageError('--from must be wordpress or ghost.');
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw new CommandError(`There is no file ${path}.`);
  if (found.size > MAX_EXPORT_BYTES) {
    throw new CommandError(`${path} is larger than ${MAX_EXPORT_BYTES / 2 ** 20} MiB: export a part of it at a time.`);
  }
  const text = await readFile(path, 'utf8');
  try {
    const { posts, notes } =
      from === 'wordpress' ? readWordPress(text) : readGhost(text, typeof site === 'string' ? site : null);
    if (posts.length === 0) throw new UnreadableExport('The export has no posts.');
    const { files, redirects, notes: addressNotes } = writeFiles(posts);
    return { archives: await packFiles(files), redirects, notes: [...notes, ...addressNotes] };
  } catch (error) {
    if (error instanceof UnreadableExport) throw new CommandError(error.message);
    throw error;
  }
}

/** As hosts of static sites read them (`_redirects`). */
async function keepRedirects(redirects: ImportFiles['redirects'], file: unknown): Promise<string> {
  const addresses =
    redirects.length === 1 ? '1 old address has another one' : `${redirects.length} old addresses have other ones`;
  if (typeof file !== 'string') return `${addresses} now: --redirects <file> lists them.`;
  await writeFile(file, redirects.map(({ from, to }) => `${from} ${to} 301\n`).join(''));
  return `${addresses} now: see ${file}.`;
}

/** Of a file that another program has exported. */
const MAX_EXPORT_BYTES = 256 * 2 ** 20;
/** Of one archive: the service takes 2,000 posts and 32 MiB. */
const MAX_FILES = 500;
const MAX_ARCHIVE_BYTES = 24 * 2 ** 20;

async function packFiles(files: ReadonlyMap<string, string>): Promise<Buffer[]> {
  const archives: Buffer[] = [];
  let zip = new ZipFile();
  let [count, bytes] = [0, 0];
  const finish = async () => {
    zip.end();
    archives.push(await buffer(zip.outputStream));
    zip = new ZipFile();
    [count, bytes] = [0, 0];
  };
  for (const [path, text] of files) {
    const content = Buffer.from(text);
    if (count > 0 && (count === MAX_FILES || bytes + content.length > MAX_ARCHIVE_BYTES)) await finish();
    zip.addBuffer(content, path);
    count += 1;
    bytes += content.length;
  }
  await finish();
  return archives;
}

/** An archive as it is, or a folder's Markdown and HTML files as one, with a note on each that is left out. */
async function archiveOf(path: string): Promise<{ readonly archive: Buffer; readonly notes: readonly string[] }> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new CommandError(`There is no ${path}.`);
  if (!found.isDirectory()) return { archive: await readFile(path), notes: [] };
  // As names: what Node 20.3 says of entries has no path.
  const names = (await readdir(path, { recursive: true }))
    .map((name) => name.split(sep).join('/'))
    .filter((name) => !name.split('/').some((part) => part.startsWith('.') || part === 'node_modules'))
    .sort();
  const zip = new ZipFile();
  const links: string[] = [];
  let count = 0;
  for (const name of names) {
    const file = join(path, name);
    const isText = /\.(?:md|markdown|html?)$/i.test(name);
    try {
      const entry = await lstat(file);
      // A link could lead to what nobody meant to import.
      if (entry.isSymbolicLink() && (isText || (await leadsToFolder(file)))) links.push(name);
      if (!isText || !entry.isFile()) continue;
      zip.addBuffer(await readFile(file), name);
    } catch (error) {
      throw new CommandError(`${file} cannot be imported: ${(error as Error).message}`);
    }
    count += 1;
  }
  const notes = sentenceOn(links, 'link is left out', 'links are left out');
  if (count === 0) throw new CommandError([`${path} has no .md, .markdown, .html or .htm file.`, ...notes].join(' '));
  zip.end();
  return { archive: await buffer(zip.outputStream), notes };
}

const leadsToFolder = async (link: string): Promise<boolean> =>
  (await stat(link).catch(() => null))?.isDirectory() === true;
