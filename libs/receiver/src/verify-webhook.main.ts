#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { diagnose } from './diagnose.ts';

const usage = `Usage: verify-webhook --body <file> --headers <file> [--secret-file <file>]

Says whether a captured webhook is genuine, and what is wrong with it.

  --body <file>          the raw bytes of the body, as they came
  --headers <file>       the headers, one "Name: value" on a line, or a JSON object
  --secret-file <file>   holds the signing secret; else WEBHOOK_SECRET does

Ends with 0 when it is genuine, 1 when it is not, 2 when it could not be read.`;

/** Headers by lowercase name, from JSON or from lines. */
function readHeaders(text: string): Map<string, string> {
  const pairs: [string, unknown][] = text.trimStart().startsWith('{')
    ? Object.entries(JSON.parse(text) as Record<string, unknown>)
    : text.split(/\r?\n/).flatMap((line) => {
        const [, name, value] = /^([\w-]+): ?(.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, value] as [string, unknown]];
      });
  return new Map(pairs.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

try {
  const { values } = parseArgs({
    options: {
      body: { type: 'string' },
      headers: { type: 'string' },
      'secret-file': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  if (values.body === undefined || values.headers === undefined)
    throw new Error(`--body and --headers are required.\n\n${usage}`);
  const file = values['secret-file'];
  const secret =
    file === undefined ? process.env['WEBHOOK_SECRET'] : (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  if (!secret) throw new Error('The secret is missing. Pass --secret-file or set WEBHOOK_SECRET.');
  const headers = readHeaders(await readFile(values.headers, 'utf8'));
  const { isGenuine, findings } = await diagnose(await readFile(values.body), (name) => headers.get(name), secret);
  for (const finding of findings) console.log(finding);
  process.exitCode = isGenuine ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
