import { freePort } from '@blog-content/local-infrastructure';
import { eventually } from '@blog-content/testing';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');

let folder: string;
let running: ChildProcess | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blog-content-kills-'));
});
afterEach(() => {
  for (const pid of running?.pid === undefined ? [] : treeOf(running.pid)) killIfThere(pid);
  running = undefined;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where npm start and its demo receiver can listen. */
async function twoPorts(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await freePort(port + 1).catch(() => false)) return port;
  }
}

interface Started {
  readonly npm: number;
  readonly said: () => string;
}

/** Starts the whole product as a terminal would, and waits until it is up. Tries again if another program took a port. */
async function npmStart(options: { inTerminal?: boolean } = {}): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      if (attempt === 3 || !/EADDRINUSE|is in use/.test(String(error))) throw error;
    }
  }
}

async function startOnce({ inTerminal = false }: { inTerminal?: boolean }): Promise<Started> {
  const args = ['start', '--', '--port', String(await twoPorts()), '--data', join(folder, 'data')];
  const child = spawn('npm', args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: '',
      KAFKA_BROKERS: undefined,
      // A background job keeps the terminal as its input.
      ...(inTerminal && { NODE_OPTIONS: '--import=data:text/javascript,process.stdin.isTTY=true' }),
    },
  });
  running = child;
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`npm start ended:\n${said}`)));
  ended.catch(() => undefined);
  await Promise.race([ended, eventually(() => expect(said).toContain('Ctrl-C stops everything.'))]);
  return { npm: child.pid!, said: () => said };
}

/** All processes with their parents. */
function processes(): { pid: number; parent: number; command: string }[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    return [...lines.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, command = '']) => ({
      ...{ pid: Number(pid), parent: Number(parent), command },
    }));
  }
  // ps is not on every Linux.
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, state, parent] = / ([A-Z]) (\d+) [^)]*$/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return []; // It has ended meanwhile.
      }
    });
}

/** A process and all that descend from it. */
function treeOf(top: number): number[] {
  const all = processes();
  const tree = new Set([top]);
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** The process of the tree whose command line has these words. */
function findIn(tree: readonly number[], words: RegExp): number {
  const found = processes().find(({ pid, command }) => tree.includes(pid) && words.test(command));
  if (!found) throw new Error(`No process of npm start matches ${words}.`);
  return found.pid;
}

const HANDED_TO = /--conditions.* apps\/local-stack\/src\/main\.ts/;
const LEVELS = [
  { what: 'npm', signal: 'SIGKILL', words: /^npm start/ },
  { what: 'bootstrap.mjs', signal: 'SIGKILL', words: /node scripts\/bootstrap\.mjs/ },
  { what: 'the process that started the servers', signal: 'SIGKILL', words: HANDED_TO },
  { what: 'npm', signal: 'SIGTERM', words: /^npm start/ },
  { what: 'bootstrap.mjs', signal: 'SIGTERM', words: /node scripts\/bootstrap\.mjs/ },
] as const;

describe('npm start', () => {
  it.each(LEVELS)('leaves no process behind when $what gets $signal', async ({ signal, words }) => {
    const { npm } = await npmStart();
    const tree = treeOf(npm);
    const level = findIn(tree, words);
    // npm, bootstrap.mjs, what it hands over to, three services, PostgreSQL with its own processes.
    expect(tree.length).toBeGreaterThan(8);
    process.kill(level, signal);
    await eventually(() => {
      const left = processes().filter(({ pid }) => tree.includes(pid));
      expect(left.map(({ command }) => command)).toEqual([]);
    });
  });

  it.each([false, true])(
    'stops in order within seconds of a SIGINT to npm alone (in a terminal: %s)',
    async (inTerminal) => {
      const { npm, said } = await npmStart({ inTerminal });
      const tree = treeOf(npm);
      process.kill(npm, 'SIGINT');
      await eventually(() => expect(processes().filter(({ pid }) => tree.includes(pid))).toEqual([]));
      expect(said()).toContain('Stopped.');
    },
  );

  it('says which process has its data and where it is reached when it is started twice', async () => {
    const { npm } = await npmStart();
    const holder = findIn(treeOf(npm), HANDED_TO);
    const again = spawn('npm', ['start', '--', '--port', String(await twoPorts()), '--data', join(folder, 'data')], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: '' },
    });
    let said = '';
    again.stderr.setEncoding('utf8').on('data', (text) => (said += text));
    const [code] = await once(again, 'exit');
    expect(code).toBe(1);
    expect(said).toMatch(new RegExp(`is already running .* at http://127\\.0\\.0\\.1:\\d+ \\(process ${holder}\\)`));
    expect(readFileSync(join(folder, 'data/lock'), 'utf8')).toContain(String(holder));
  });
});
