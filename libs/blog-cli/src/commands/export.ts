import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, printable, UsageError } from '../command-error.ts';
import { readAll, type Api } from '../api.ts';
import { addToArchive } from './add-to-archive.ts';
import type { Command } from './command.ts';

export const exportProject: Command = {
  usage: `blog export --out <file.zip> [--format written|markdown|html]

Writes all posts as files that Astro, Hugo, Eleventy and Jekyll build, and all data as JSON. The README in the archive says
how. A file that is there is replaced.

  --format            each post as it was written, or all as Markdown or HTML`,
  options: { out: 'string', format: 'string' },
  async run({ api, values, print, signal }) {
    const out = values['out'];
    if (typeof out !== 'string') throw new UsageError('--out is missing.');
    const format = values['format'] ?? 'written';
    if (format !== 'written' && format !== 'markdown' && format !== 'html') {
      throw new UsageError('--format must be written, markdown or html.');
    }
    const { project, ownersOnly } = await api();
    ownersOnly();
    const answer = await project(`/export?format=${format}`, { signal });
    const unfinished = `${out}.part`;
    const received = `${out}.received`;
    try {
      await pipeline(Readable.fromWeb(answer.body!), createWriteStream(received));
      await addToArchive(received, unfinished, 'data/webhooks.json', await webhooksOf(project, print));
      await rename(unfinished, out);
    } catch (error) {
      throw new CommandError(`The export was cut off: ${(error as Error).message}`);
    } finally {
      await Promise.all([unfinished, received].map((file) => rm(file, { force: true })));
    }
    print(out);
  },
};

/** Where posts are sent, without what only their owner knows: another service has them, which may be away. */
async function webhooksOf(project: Api['project'], print: (line: string) => void): Promise<string> {
  const webhooks: object[] = [];
  try {
    for await (const { headers, ...webhook } of readAll<{ headers?: object }>(project, '/webhooks')) {
      webhooks.push({ ...webhook, headers: Object.keys(headers ?? {}) });
    }
  } catch (error) {
    print(`Webhooks are missing in the export: ${printable((error as Error).message)}`);
  }
  return `${JSON.stringify(webhooks, null, 2)}\n`;
}
