import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const platform = `${process.platform}-${process.arch}`;

/** What npm leaves behind when it is killed while it replaces a package: `.name-a1B2c3D4`. */
const REPLACED = /^\.(.+)-[A-Za-z0-9_-]{8}$/;

/**
 * What is wrong with the installed packages, as half a sentence; null when all that the lockfile names for this
 * platform is there.
 */
export function problemOfInstall(root) {
  const modules = join(root, 'node_modules');
  if (!existsSync(modules)) return 'they are missing';
  const noted = join(modules, '.package-lock.json');
  if (!existsSync(noted)) return 'an earlier install did not finish';
  const installed = packagesOf(noted);
  if (installed === null) return `${noted} is not valid JSON`;
  const wanted = packagesOf(join(root, 'package-lock.json'));
  if (wanted === null)
    throw new Error('package-lock.json is not valid JSON: restore it (git checkout package-lock.json).');
  const stamp = stampOf(root, 'platform');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') !== platform) {
    return `they were installed for ${readFileSync(stamp, 'utf8')}, and this is ${platform}`;
  }
  // npm leaves out an optional package that cannot be installed: after an install of ours that is no fault.
  const mayLack = (entry) => (entry.optional || entry.devOptional) && (existsSync(stamp) || !isForThisPlatform(entry));
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.startsWith('node_modules/')) continue;
    const there = installed[path];
    if (there === undefined && mayLack(entry)) continue;
    const name = path.slice('node_modules/'.length);
    if (there === undefined) return `${name} is missing`;
    if (there.version !== entry.version) return `${name} is ${there.version}, not ${entry.version}`;
    if (!existsSync(join(root, path, 'package.json'))) return `${name} is missing`;
  }
  const replaced = readdirSync(modules).find((name) => `node_modules/${REPLACED.exec(name)?.[1]}` in wanted);
  return replaced === undefined ? null : `an earlier install was interrupted (it left node_modules/${replaced})`;
}

/** Notes that npm has installed all that it can for this platform. */
export function noteInstalled(root) {
  write(stampOf(root, 'platform'), platform);
}

/** Runs `step` unless the named inputs are the same as when it last succeeded, and its outputs are there. */
export async function once(root, { name, inputs, outputs, describe, step }) {
  const stamp = stampOf(root, name);
  const hash = createHash('sha256');
  for (const file of inputs) hash.update(readFileSync(join(root, file)));
  const now = hash.digest('hex');
  const before = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (before === now && outputs.every((file) => existsSync(join(root, file)))) return;
  console.error(describe);
  await step();
  write(stamp, now);
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Of an entry of the lockfile; one that names no platform is for none in particular. */
function isForThisPlatform({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false;
  const takes = (list, value) => list === undefined || list.includes(value);
  return takes(os, process.platform) && takes(cpu, process.arch) && (libc === undefined || takes(libc, libcOfThis()));
}

const libcOfThis = () => (process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc');

const stampOf = (root, name) => join(root, 'node_modules', '.cache', 'blog-content', name);

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
