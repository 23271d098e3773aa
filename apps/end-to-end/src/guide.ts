import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A page of docs/guides: what its reader writes into files and a shell, and what that prints. */
export interface Guide {
  readonly text: string;
  /** What follows a line that names a file: `posts.mjs`: */
  readonly files: ReadonlyMap<string, string>;
  readonly script: string;
  /** Lines of the blocks `text` that follow a shell's, each of which is to be printed. */
  readonly printed: readonly string[];
}

export async function readGuide(name: string): Promise<Guide> {
  const text = await readFile(join(root, 'docs/guides', `${name}.md`), 'utf8');
  const files = new Map<string, string>();
  const script: string[] = [];
  const printed: string[] = [];
  let isAfterShell = false;
  for (const [, file, language, code = ''] of text.matchAll(/(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (file !== undefined) files.set(file, code);
    else if (language === 'sh') script.push(code);
    else if (language === 'text' && isAfterShell) printed.push(...code.trim().split('\n'));
    isAfterShell = language === 'sh';
  }
  return { text, files, script: script.join('\n'), printed };
}

/** The file that an example has at a path that a guide shows. */
export const exampleFile = (path: string) => readFile(join(root, path), 'utf8');

/**
 * Does what a guide says, in a folder of its own. Values that a reader pastes are those given: `export NAME=…`. Ports
 * that it shows are replaced by free ones.
 *
 * @returns what its commands printed. @throws when one of them fails.
 */
export async function followGuide(
  guide: Guide,
  folder: string,
  ports: ReadonlyMap<string, number>,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  for (const [path, code] of guide.files) {
    if (path.startsWith('examples/')) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), withPorts(code, ports));
  }
  // The packages come from the origin alone: no registry is there.
  const before = `set -euo pipefail
export HOME='${folder}' XDG_CONFIG_HOME='${folder}' GOCACHE='${join(homedir(), '.cache/go-build')}'
export npm_config_registry=http://127.0.0.1:1/ npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
unset FORCE_COLOR NODE_OPTIONS`;
  const script = `${before}\n${withPorts(fillIn(guide.script, values), ports)}`;
  await writeFile(join(folder, 'guide.sh'), script);
  return runGroup('bash', ['guide.sh'], folder);
}

/** Runs a command, and ends what it has left running. @returns its output. @throws with that when it fails. */
async function runGroup(command: string, args: string[], folder: string): Promise<string> {
  const child = spawn(command, args, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const closed = once(child, 'close');
  const [code] = (await once(child, 'exit')) as [number | null];
  try {
    process.kill(-(child.pid ?? 0));
  } catch {
    // Nothing is left of it.
  }
  await closed;
  if (code !== 0) throw new Error(`${command} ended with ${code}.\n${said.out}\n${said.err}`);
  return said.out;
}

const withPorts = (text: string, ports: ReadonlyMap<string, number>) =>
  [...ports].reduce((given, [shown, port]) => given.replaceAll(shown, String(port)), text);

/** Puts the given values in place of those that the page shows in its exports. */
function fillIn(script: string, values: Readonly<Record<string, string>>): string {
  return script.replaceAll(/^export .*$/gm, (line) =>
    line.replaceAll(/\b([A-Z_]+)=(?!\$)(\S+)/g, (shown, name: string, value: string) => {
      if (values[name] !== undefined) return `${name}='${values[name]}'`;
      if (value.includes('…')) throw new Error(`A guide shows ${shown}, and no value is given.`);
      return shown;
    }),
  );
}
