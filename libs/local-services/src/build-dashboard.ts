import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PUBLISHED_PACKAGES } from './packages/pack-packages.ts';

const root = join(import.meta.dirname, '../../..');
const dashboard = join(root, 'apps/dashboard');

/** Builds the dashboard unless it is built from the same sources already; returns the folder of its files. */
export async function buildDashboard(onProgress: (step: string) => void = () => undefined): Promise<string> {
  const site = join(dashboard, 'dist/site');
  const sources = hashOfSources();
  const stamp = join(site, '.sources');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return site;
  onProgress('Building the dashboard');
  // Two starts may build concurrently: each has a folder of its own, which then replaces the one before.
  const made = `${site}-${process.pid}`;
  const vite = join(createRequire(join(dashboard, 'package.json')).resolve('vite/package.json'), '../bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn', '--outDir', made], {
    cwd: dashboard,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await writeFile(join(made, '.sources'), sources);
  await rm(site, { recursive: true, force: true });
  await rename(made, site);
  return site;
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  const parts = ['package-lock.json', 'docs/openapi.json', 'tsconfig.base.json'].map((file) => join(root, file));
  for (const folder of ['docs', 'docs/guides']) {
    const documents = readdirSync(join(root, folder)).filter((file) => file.endsWith('.md'));
    parts.push(...documents.map((file) => join(root, folder, file)));
  }
  parts.push(...PUBLISHED_PACKAGES.map((name) => join(root, 'libs', name, 'README.md')));
  const receivers = readdirSync(join(root, 'examples')).filter((file) => file.startsWith('receiver.'));
  parts.push(...receivers.map((file) => join(root, 'examples', file)));
  const own = ['index.html', 'package.json', 'openapi-ts.config.ts', 'vite.config.ts', 'tsconfig.app.json'];
  parts.push(...own.map((file) => join(dashboard, file)));
  for (const folder of ['docs', 'public', 'src', 'vite']) {
    for (const entry of readdirSync(join(dashboard, folder), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      // The API client is made from docs/openapi.json.
      if (entry.isFile() && !file.includes('/src/generated/')) parts.push(file);
    }
  }
  for (const file of parts.sort()) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
