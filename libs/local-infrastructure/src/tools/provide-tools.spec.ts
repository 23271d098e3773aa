import type { Apt } from './install-with-apt.ts';
import { provideTools, type Machine } from './provide-tools.ts';
import type { Tool } from './tools.ts';

/** What the machine of a test has. */
let installed: Set<string>;
let said: string[];
let asked: string[];
beforeEach(() => {
  installed = new Set(['java']);
  said = [];
  asked = [];
});

const tool = (name: string): Tool => ({
  ...{ name, why: 'runs something', debian: [`${name}-package`], brew: name, usedBy: /x/, skipsFiles: true },
  check: () => installed.has(name),
});
const tools = [tool('java'), tool('caddy'), tool('php')];

const packagesOf = (wanted: readonly Tool[]) => wanted.flatMap(({ debian }) => debian);
const machine = (platform: NodeJS.Platform, apt: Apt | null, gets: readonly string[] = ['caddy', 'php']): Machine => ({
  platform,
  apt,
  install: (_apt, wanted) => {
    asked.push(...packagesOf(wanted));
    for (const name of gets) installed.add(name);
    return Promise.resolve(gets.length === 2 ? null : 'E: Unable to locate package php-package');
  },
});
const root: Apt = { mayInstall: true, sudo: [], packagesOf };
const provide = (on: Machine, mayInstall = true) =>
  provideTools(tools, { mayInstall, say: (line) => said.push(line) }, on);

describe('the programs that tests need', () => {
  it('are installed on Debian as root, and the run says which and why', async () => {
    expect(await provide(machine('linux', root))).toBeNull();
    expect(asked).toEqual(['caddy-package', 'php-package']);
    expect(said).toEqual(['Installing caddy, php with apt-get (caddy runs something, php runs something)']);
  });

  it('are not installed or mentioned when all are there', async () => {
    installed = new Set(['java', 'caddy', 'php']);
    expect(await provide(machine('linux', root))).toBeNull();
    expect([asked, said]).toEqual([[], []]);
  });

  it('are named with the reason when they cannot be installed', async () => {
    const result = await provide(machine('linux', root, ['caddy']));
    expect(result?.missing.map(({ name }) => name)).toEqual(['php']);
    expect(result?.advice).toBe(
      'Not installed: php (E: Unable to locate package php-package). To install: apt-get install -y php-package',
    );
  });

  it.each([
    [
      'Debian without root or sudo',
      'linux',
      { ...root, mayInstall: false, sudo: ['sudo'] },
      'To install: sudo apt-get install -y caddy-package php-package',
    ],
    ['macOS', 'darwin', null, 'To install: brew install caddy php'],
    ['another Linux', 'linux', null, 'Install them with your package manager.'],
  ] as const)('come with one line to install them on %s', async (_where, platform, apt, line) => {
    const result = await provide(machine(platform, apt));
    expect(result?.advice).toBe(`Missing: caddy, php. ${line}`);
    expect(asked).toEqual([]);
  });

  it('are not installed when the run may not', async () => {
    expect((await provide(machine('linux', root), false))?.missing).toHaveLength(2);
    expect(asked).toEqual([]);
  });
});
