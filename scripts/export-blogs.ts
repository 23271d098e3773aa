// `npm run export`: everything of a project as a ZIP archive.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { addToArchive } from '../libs/blog-cli/src/commands/add-to-archive.ts';
import { webhooksOf } from '../libs/blog-cli/src/commands/export.ts';
import {
  CommandError,
  OWNER_ARGUMENTS,
  OWNER_USAGE,
  readOwnerOptions,
  runCommand,
  signIn,
  type OwnerOptions,
} from './owner-session.ts';

const usage = `Usage: npm run export -- --project <id> --out <file.zip> --email <address> [options]

Writes all posts of a project as files that Astro, Hugo, Eleventy and Jekyll build, and all its data as JSON. The README in
the archive says how.

${OWNER_USAGE}
  --out <file.zip>    where to write it; a file that is there is replaced
  --format <format>   markdown or html: all posts as this; otherwise each as it was written
  --help              show this`;

interface Settings extends OwnerOptions {
  readonly out: string;
  readonly format: string;
}

function readSettings(): Settings | 'help' {
  const { values } = parseArgs({
    options: { ...OWNER_ARGUMENTS, out: { type: 'string' }, format: { type: 'string', default: 'written' } },
  });
  if (values.help) return 'help';
  if (!values.out) throw new TypeError('--out is missing.');
  const { format } = values;
  if (!['written', 'markdown', 'html'].includes(format)) throw new TypeError('--format must be markdown or html.');
  // npm runs scripts in the package's folder, not where it was called.
  return { ...readOwnerOptions(values), out: resolve(process.env['INIT_CWD'] ?? process.cwd(), values.out), format };
}

async function exportProject({ out, format, ...owner }: Settings): Promise<void> {
  const call = await signIn(owner);
  const answer = await call(`/export?format=${format}`);
  if (!answer.body) throw new CommandError('The answer has no body.');
  const [received, unfinished] = [`${out}.received`, `${out}.part`];
  try {
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(received));
    await addToArchive(received, unfinished, 'data/webhooks.json', await webhooksOf(call, console.log));
    await rename(unfinished, out);
  } catch (error) {
    throw new CommandError(`The export was cut off: ${(error as Error).message}`);
  } finally {
    await Promise.all([received, unfinished].map((file) => rm(file, { force: true })));
  }
  console.log(out);
}

await runCommand(usage, readSettings, exportProject);
