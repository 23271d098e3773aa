import { readFile, rename, writeFile } from 'node:fs/promises';
import { CommandError, UsageError } from '../command-error.ts';
import { writeTypes, type DataField } from '../types/write-types.ts';
import type { Command } from './command.ts';

const DEFAULT_FILE = 'post-data.d.ts';

export const types: Command = {
  usage: `blog types [--out <file>] [--check]

Writes the TypeScript type of a post's data, from the fields that the project declares. Works for owners and agents. The
same fields give the same file.

  --out <file>   file to write (default ${DEFAULT_FILE}); an existing file is overwritten
  --check        write nothing; exits with 1 if the file is missing or out of date`,
  options: { out: 'string', check: 'boolean' },
  async run({ api, positionals, values, print }) {
    if (positionals.length > 0) throw new UsageError('"blog types" takes options only.');
    const out = typeof values['out'] === 'string' ? values['out'] : DEFAULT_FILE;
    const { project } = await api();
    const { fields } = (await (await project('/data-fields')).json()) as { fields: DataField[] };
    const text = writeTypes(fields);
    const count = `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`;
    if (values['check']) {
      const existing = await readFile(out, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw new CommandError(`${out} cannot be read: ${error.message}`);
      });
      if (existing !== text) {
        const what = existing === null ? 'is missing' : 'is out of date';
        throw new CommandError(`${out} ${what}. Run "blog types" to write it.`);
      }
      print(`${out}: up to date, ${count}`);
      return;
    }
    const unfinished = `${out}.part`;
    try {
      await writeFile(unfinished, text);
      await rename(unfinished, out);
    } catch (error) {
      throw new CommandError(`${out} cannot be written: ${(error as Error).message}`);
    }
    print(`${out}: ${count}`);
  },
};
