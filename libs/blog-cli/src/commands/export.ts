import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, UsageError } from '../command-error.ts';
import type { Command } from './command.ts';

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
