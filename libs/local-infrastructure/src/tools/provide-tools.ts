import { aptOf, installWithApt, type Apt } from './install-with-apt.ts';
import { missingOf, type Tool } from './tools.ts';

/** What `provideTools` uses of the machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** Null if there is no apt-get, or no right to use it. */
  readonly apt: Apt | null;
  readonly install: (apt: Apt, tools: readonly Tool[]) => Promise<string | null>;
}

export interface ProvideOptions {
  /** False only looks for them. */
  readonly mayInstall: boolean;
  /** Told before something is installed. */
  readonly say: (line: string) => void;
}

const thisMachine = (): Machine => ({ platform: process.platform, apt: aptOf(), install: installWithApt });

/**
 * Has the tools on this machine: installs what is missing where that is possible without asking (Debian and Ubuntu, as
 * root or with sudo), and says so.
 *
 * @returns what is missing still, and the line that tells how to get it; null when all are there.
 */
export async function provideTools(
  tools: readonly Tool[],
  { mayInstall, say }: ProvideOptions,
  machine: Machine = thisMachine(),
): Promise<{ missing: readonly Tool[]; advice: string } | null> {
  const missing = missingOf(tools);
  if (missing.length === 0) return null;
  if (mayInstall && machine.apt?.mayInstall) {
    say(`Installing ${namesOf(missing)} with apt-get (${missing.map(({ name, why }) => `${name} ${why}`).join(', ')})`);
    const failure = await machine.install(machine.apt, missing);
    const still = missingOf(missing);
    if (still.length === 0) return null;
    const reason = failure ?? 'the packages of this system are too old';
    return { missing: still, advice: `Not installed: ${namesOf(still)} (${reason}). ${howTo(still, machine)}` };
  }
  return { missing, advice: `Missing: ${namesOf(missing)}. ${howTo(missing, machine)}` };
}

const namesOf = (tools: readonly Tool[]) => tools.map(({ name }) => name).join(', ');

/** One line for a person to run. */
function howTo(tools: readonly Tool[], { platform, apt }: Machine): string {
  if (apt) return `To install: ${[...apt.sudo, 'apt-get', 'install', '-y', ...apt.packagesOf(tools)].join(' ')}`;
  if (platform === 'darwin') return `To install: brew install ${[...new Set(tools.map(({ brew }) => brew))].join(' ')}`;
  return 'Install them with your package manager.';
}
