import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// The shell of npm makes way for it: what is sent to that process reaches us. The Node is npm's own: npm finds the one
// in node_modules first, which may be the very thing that is broken.
const COMMAND = /^exec "\$\{npm_node_execpath:-node\}" scripts\/bootstrap\.mjs /;

/**
 * The help that `words` ask for, read without running or installing anything: the text `usage` in the entry or in what
 * it imports from its own folder. Null when nobody asks, or there is none.
 */
export function helpFor(root, entry, words) {
  if (![entry, ...words].some((word) => word === '--help' || word === '-h')) return null;
  return entry === '--help' || entry === '-h' ? ownUsage(root) : usageOf(entry);
}

function usageOf(file) {
  if (!existsSync(file)) return null;
  const main = readFileSync(file, 'utf8');
  const imported = [...main.matchAll(/ from '(\.\/[^']+)'/g)].map(([, name]) => join(dirname(file), name));
  const sources = [main, ...imported.map((name) => readFileSync(name, 'utf8'))].join('\n');
  const textOf = (name) =>
    new RegExp(`^(?:export )?const ${name} =\\s+(?:\`([^\`]*)\`|'([^']*)')`, 'm').exec(sources)?.slice(1).join('');
  const text = (textOf('usage') ?? textOf('USAGE'))?.replace(/\$\{(\w+)\}/g, (whole, name) => textOf(name) ?? whole);
  return text === undefined || text.includes('${') ? null : text;
}

function ownUsage(root) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = Object.keys(scripts).filter((name) => COMMAND.test(scripts[name]));
  return `Usage: node scripts/bootstrap.mjs <file> [arguments]

Installs missing packages and runs a file with the pinned Node. These npm commands use it and accept --help:
${names.join(', ')}`;
}
