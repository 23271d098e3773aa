import { writeFile } from 'node:fs/promises';
import { CommandError, printable, UsageError } from '../../command-error.ts';
import type { ImportFiles } from '../../exports/write-files.ts';
import { splitFiles, type Part } from '../../sources/split-files.ts';
import type { Command, CommandContext } from '../command.ts';
import { openImport, type OpenImport } from './open-import.ts';
import {
  addCounts,
  countsText,
  importPart,
  noCounts,
  planPart,
  requireFiles,
  type PlannedFile,
  type Sending,
  type Slugs,
} from './run-parts.ts';

export const importFiles: Command = {
  usage: `blog import <folder, file.zip or export> [--publish] [--existing update] [--host-images] [--dry-run] [options]

Imports Markdown and HTML files, or an export of WordPress (XML) or Ghost (JSON). Large folders and archives are sent in
steps; run the command again to continue. Exits with 1 if a file failed.

  --from <program>    wordpress or ghost, if the export is not recognized
  --site <address>    URL of the blog, for Ghost exports, which omit it
  --redirects <file>  write old and new post paths in the _redirects format
  --host-images       fetch the posts' images into the library
  --publish           publish each post that is not marked as a draft
  --existing update   update posts whose slug already exists (default: skip)
  --report <file>     where to write the report (default import-report.txt)
  --dry-run           preview the result for each file without importing`,
  options: {
    publish: 'boolean',
    existing: 'string',
    from: 'string',
    site: 'string',
    redirects: 'string',
    report: 'string',
    'host-images': 'boolean',
    'dry-run': 'boolean',
  },
  async run(context) {
    const { positionals, values } = context;
    const [path, ...others] = positionals;
    if (path === undefined || others.length > 0) throw new UsageError('Pass one folder or file.');
    const existing = values['existing'] ?? 'skip';
    if (existing !== 'skip' && existing !== 'update') throw new UsageError('--existing must be skip or update.');
    const site = typeof values['site'] === 'string' ? values['site'] : null;
    const opened = await openImport(path, values['from'], site, new Date());
    try {
      return await importAll(context, opened, path, existing);
    } finally {
      opened.close();
    }
  },
};

async function importAll(
  { api, values, print, signal }: CommandContext,
  opened: OpenImport,
  path: string,
  existing: 'skip' | 'update',
): Promise<number> {
  const { parts, ...split } = await splitFiles(opened.files);
  const notes = [...opened.notes, ...split.notes];
  const problems = [...opened.problems, ...split.problems];
  requireFiles(parts, path, [...notes, ...problems]);
  const { project, ownersOnly } = await api();
  ownersOnly();
  const images = values['host-images'] === true ? '&images=host' : '';
  const query = `?publish=${values['publish'] === true}&existing=${existing}`;
  const isDryRun = values['dry-run'] === true;
  const posts = parts.filter(({ kind }) => kind === 'posts');
  const isPlanned = isDryRun || (posts.length > 1 && !opened.hasSlugs);
  const planned = isPlanned ? await planAll({ project, query, signal }, parts, print) : null;

  const reports: string[] = [];
  let failed: number;
  if (isDryRun && planned !== null) failed = showPlan(planned.items, print);
  else {
    const sending = { project, query: query + images, signal };
    failed = await sendAll(
      sending,
      parts,
      posts.length > 1 ? (planned?.slugs ?? new Map()) : new Map(),
      print,
      (report) => reports.push(report),
    );
  }
  for (const note of [...notes, ...problems]) print(printable(note));
  if (!isDryRun) {
    const said = [...notes, ...problems].map((note) => `${printable(note)}\n`);
    const file = await keepReport(
      [...(said.length > 0 ? [said.join('')] : []), ...reports].join('\n'),
      values['report'],
    );
    print(`Details of each post: ${file}`);
  }
  const { redirects } = opened;
  if (redirects.length > 0) print(await keepRedirects(redirects, isDryRun ? undefined : values['redirects']));
  return failed + problems.length > 0 ? 1 : 0;
}

/** What would happen to all files. The slugs of one part are known to the next, so that none is given twice. */
async function planAll(sending: Sending, parts: readonly Part[], print: (line: string) => void) {
  const slugs = new Map<string, string>();
  const items: PlannedFile[] = [];
  for (const [index, part] of parts.entries()) {
    const later = parts.slice(index + 1).flatMap(({ files }) => files.map(({ path }) => [path, null] as const));
    const known = part.kind === 'posts' ? new Map<string, string | null>([...later, ...slugs]) : slugs;
    const planned = await planPart(sending, part, known);
    for (const { path, slug, outcome } of planned) if (slug !== null && outcome !== 'fail') slugs.set(path, slug);
    items.push(...planned);
    if (parts.length > 1) print(`Read ${index + 1} of ${parts.length}: ${filesText(part)}`);
  }
  return { slugs, items };
}

function showPlan(items: readonly PlannedFile[], print: (line: string) => void): number {
  for (const { path, outcome, slug, publish, message } of items) {
    const becomes = slug === null ? '' : ` → ${slug}${publish ? ', published' : ''}`;
    print(`${outcome.padEnd(8)}${printable(path)}${becomes}${message === null ? '' : `: ${printable(message)}`}`);
  }
  const count = (is: (item: PlannedFile) => boolean) => items.filter(is).length;
  const outcomes = (['create', 'update', 'skip', 'fail'] as const).map(
    (name) => `${count(({ outcome }) => outcome === name)} to ${name}`,
  );
  print(`${outcomes.join(', ')}; ${count(({ publish }) => publish)} to publish. Dry run: nothing was imported.`);
  return count(({ outcome }) => outcome === 'fail');
}

async function sendAll(
  sending: Sending,
  parts: readonly Part[],
  slugs: Slugs,
  print: (line: string) => void,
  keep: (report: string) => void,
): Promise<number> {
  const total = noCounts();
  const lines: string[] = [];
  const isOne = parts.length === 1;
  for (const [index, part] of parts.entries()) {
    // What is said of files comes behind the counts of one part, and as it comes of several.
    const counts = await importPart(sending, part, slugs, isOne ? (line) => lines.push(line) : print, keep);
    addCounts(total, counts);
    if (!isOne) print(`Step ${index + 1} of ${parts.length}, ${filesText(part)}: ${countsText(counts)}`);
  }
  print(countsText(total));
  for (const line of lines) print(line);
  return total.failed;
}

const filesText = ({ kind, files }: Part): string =>
  files.length === 1 ? `1 ${kind === 'images' ? 'image' : 'post'}` : `${files.length} ${kind}`;

const REPORT = 'import-report';
/** Most reports of earlier imports that stay in one folder beside a new one. */
const MAX_REPORTS = 1_000;

/** Writes the report where it is asked for, else beside those of earlier imports. @returns its path. */
async function keepReport(report: string, file: unknown): Promise<string> {
  if (typeof file === 'string') {
    await writeFile(file, report);
    return file;
  }
  for (let number = 1; number <= MAX_REPORTS; number += 1) {
    const name = number === 1 ? `${REPORT}.txt` : `${REPORT}-${number}.txt`;
    try {
      await writeFile(name, report, { flag: 'wx' });
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new CommandError(`${MAX_REPORTS} reports already exist. Choose another file with --report.`);
}

/** As hosts of static sites read them (`_redirects`). */
async function keepRedirects(redirects: ImportFiles['redirects'], file: unknown): Promise<string> {
  const addresses = redirects.length === 1 ? '1 post path' : `${redirects.length} post paths`;
  if (typeof file !== 'string') return `${addresses} changed. List redirects with --redirects <file>.`;
  await writeFile(file, redirects.map(({ from, to }) => `${from} ${to} 301\n`).join(''));
  return `${addresses} changed. Redirects: ${file}`;
}
