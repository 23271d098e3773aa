#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { diagnose } from './diagnose.ts';

const usage = `Usage: verify-webhook --body <file> --headers <file> [--secret-file <file>]

Checks the signature of a captured webhook and explains what is wrong.

  --body <file>          raw body, byte for byte
  --headers <file>       headers: one "Name: value" per line, or a JSON object
  --secret-file <file>   file with the signing secret (default: WEBHOOK_SECRET)

Exit codes: 0 success, 1 failure, 2 usage error.`;

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
