// `npm run import`: a folder of Markdown and HTML files becomes blogs of a project.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { ZipFile } from 'yazl';
import {
  CommandError,
  OWNER_ARGUMENTS,
  OWNER_USAGE,
  readOwnerOptions,
  runCommand,
  signIn,
  type CallProject,
  type OwnerOptions,
} from './owner-session.ts';
import { splitArchive } from './split-archive.ts';

type Count = 'files' | 'waiting' | 'created' | 'updated' | 'skipped' | 'failed';
type ImportJob = { readonly id: string; readonly status: string } & Readonly<Record<Count, number>>;
interface ImportFile {
  readonly path: string;
  readonly status: string;
  readonly message: string | null;
}

const usage = `Usage: npm run import -- <folder> --project <id> --email <address> [options]

Makes blogs of the Markdown and HTML files in a folder, or in a ZIP archive; an export that is too large for one import
is sent in several, its images first. Exits with 1 when a file failed.

${OWNER_USAGE}
  --publish           publish each post that its front matter does not call a draft
  --existing update   edit the blog that has a file's slug already; it is left alone otherwise
  --help              show this`;

interface Settings extends OwnerOptions {
  readonly folder: string;
  readonly publish: boolean;
  readonly existing: string;
}

const POLL_MS = 1_000;

function readSettings(): Settings | 'help' {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...OWNER_ARGUMENTS,
      publish: { type: 'boolean', default: false },
      existing: { type: 'string', default: 'skip' },
    },
  });
  if (values.help) return 'help';
  const [folder, ...others] = positionals;
  if (folder === undefined) throw new TypeError('The folder is missing.');
  if (others.length > 0) throw new TypeError('Only one folder can be imported at a time.');
  if (!['skip', 'update'].includes(values.existing)) throw new TypeError('--existing must be skip or update.');
  // npm runs scripts in the package's folder, not where it was called.
  const calledIn = process.env['INIT_CWD'] ?? process.cwd();
  const { publish, existing } = values;
  return { ...readOwnerOptions(values), folder: resolve(calledIn, folder), publish, existing };
}

/** The archives that are imported one after the other. */
async function* archivesOf(folder: string): AsyncGenerator<Buffer> {
  const found = await stat(folder).catch(() => null);
  if (found === null) throw new CommandError(`There is no ${folder}.`);
  if (found.isDirectory()) {
    yield packed(folder);
    return;
  }
  const parts = await splitArchive(folder);
  if (parts === null) yield readFile(folder);
  else yield* parts;
}

async function packed(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(?:md|markdown|html?)$/i.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules'))
    .sort();
  if (paths.length === 0) throw new CommandError(`${folder} has no .md, .markdown, .html or .htm file.`);
  const zip = new ZipFile();
  for (const path of paths) zip.addFile(join(folder, path), path);
  zip.end();
  console.log(`${paths.length} files of ${folder}`);
  return buffer(zip.outputStream);
}

async function importFolder({ folder, ...settings }: Settings): Promise<void> {
  let call: CallProject | undefined;
  for await (const archive of archivesOf(folder)) {
    call ??= await signIn(settings);
    await importArchive(call, archive, settings);
  }
}

async function importArchive(
  call: CallProject,
  archive: Buffer,
  { publish, existing }: Pick<Settings, 'publish' | 'existing'>,
): Promise<void> {
  const accepted = await call(`/imports?publish=${publish}&existing=${existing}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/zip' },
    body: new Uint8Array(archive),
  });
  let job = (await accepted.json()) as ImportJob;
  console.log(`Import ${job.id}`);
  for (;;) {
    const { files, waiting, created, updated, skipped, failed } = job;
    const ends = `${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`;
    console.log(`${files - waiting} of ${files}: ${ends}`);
    if (job.status === 'finished') break;
    await new Promise((wake) => setTimeout(wake, POLL_MS));
    job = (await (await call(`/imports/${job.id}`)).json()) as ImportJob;
  }
  await printFiles(call, job.id);
  if (job.failed > 0) process.exitCode = 1;
}

/** Lists the files that failed, were skipped, or were not taken in whole. */
async function printFiles(call: CallProject, id: string): Promise<void> {
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Response = await call(`/imports/${id}/files?limit=100${cursor && `&cursor=${cursor}`}`);
    const { items, next_cursor: next } = (await page.json()) as { items: ImportFile[]; next_cursor: string | null };
    for (const { path, status, message } of items) {
      if (message !== null) console.log(`${status.padEnd(8)}${printable(path)}: ${printable(message)}`);
    }
    cursor = next;
  }
}

/** Names of files must not steer the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

await runCommand(usage, readSettings, importFolder);
