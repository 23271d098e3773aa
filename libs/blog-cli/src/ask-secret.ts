import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.ts';

/** Asks at the terminal without showing what is typed. */
export async function askSecret(question: string, variable: string): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandError(`Set ${variable}: no terminal to prompt on.`);
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
