import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, UsageError } from '../command-error.ts';
import type { Command } from './command.ts';

export const exportProject: Command = {
  usage: `blog export --out <file.zip> [--format markdown|html]

Writes all posts as files that Astro, Hugo, Eleventy and Jekyll build, and all data as JSON. The README in the archive says
how. A file that is there is replaced.

  --format            all posts as Markdown, or all as HTML; otherwise each as it was written`,
  options: { out: 'string', format: 'string' },
  async run({ api, values, print, signal }) {
    const out = values['out'];
    if (typeof out !== 'string') throw new UsageError('--out is missing.');
    const format = values['format'] ?? 'written';
    if (format !== 'written' && format !== 'markdown' && format !== 'html') {
      throw new UsageError('--format must be markdown or html.');
    }
    const { project, ownersOnly } = await api();
    ownersOnly();
    const answer = await project(`/export?format=${format}`, { signal });
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
