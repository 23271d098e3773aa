import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, printable, UsageError } from '../command-error.ts';
import { json, readAll, type Api } from '../api.ts';
import type { Command } from './command.ts';

export const exportProject: Command = {
  usage: `blog export --out <file.zip> [--format written|markdown|html]

Exports posts as files for Astro, Hugo, Eleventy and Jekyll, and all data as JSON. The archive's README explains how to
build it. An existing file is overwritten.

  --out <file.zip>   file to write
  --format           as written (default), or all posts as Markdown or HTML`,
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
    const answer = await requestExport(project, format, { print, signal });
    const unfinished = `${out}.part`;
    try {
      await pipeline(Readable.fromWeb(answer.body!), createWriteStream(unfinished));
      await rename(unfinished, out);
    } catch (error) {
      throw new CommandError(`Export failed: ${(error as Error).message}`);
    } finally {
      await rm(unfinished, { force: true });
    }
    print(out);
  },
};

/** Asks for the archive, and sends the webhooks along: another service has them. While it is away, they are left out. */
async function requestExport(
  project: Api['project'],
  format: string,
  { print, signal }: { print: (line: string) => void; signal: AbortSignal },
): Promise<Response> {
  const webhooks = await webhooksOf(project).catch((error: unknown) => {
    print(`The export has no webhooks: ${printable((error as Error).message)}`);
    return null;
  });
  return project(`/export?format=${format}`, webhooks === null ? { signal } : { ...json({ webhooks }), signal });
}

/** How a webhook is doing, not how it is set up. */
const LEFT_OUT = new Set(['project_id', 'failed_deliveries', 'failing_since', 'failing_reason']);

/** Without the values of headers, which may be credentials. */
async function webhooksOf(project: Api['project']): Promise<object[]> {
  const webhooks: object[] = [];
  for await (const { headers, ...webhook } of readAll<{ headers: object }>(project, '/webhooks')) {
    const setUp = Object.entries(webhook).filter(([name]) => !LEFT_OUT.has(name));
    webhooks.push({ ...Object.fromEntries(setUp), headers: Object.keys(headers) });
  }
  return webhooks;
}
