import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from './command-error.ts';

/** Who is signed in, and where. */
export type Credentials =
  | {
      readonly kind: 'owner';
      readonly origin: string;
      readonly email: string;
      /** For half an hour. */
      readonly token: string;
      /** Used once: the next session comes with another. */
      readonly refreshToken: string;
    }
  | { readonly kind: 'agent'; readonly origin: string; readonly key: string };

export interface CredentialStore {
  /** @throws CommandError when nobody is signed in */
  load(): Promise<Credentials>;
  save(credentials: Credentials): Promise<void>;
  forget(): Promise<void>;
}

/** A file that only its user can read: `blog/credentials.json` in the folder for settings. */
export function createCredentialStore(environment: Readonly<Record<string, string | undefined>>): CredentialStore {
  const folder = environment['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  const file = join(folder, 'blog', 'credentials.json');
  return {
    async load() {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw new CommandError('Not signed in. Run "blog sign-in".');
        throw new CommandError(`${file} cannot be read: ${error.message}`);
      });
      try {
        return JSON.parse(text) as Credentials;
      } catch {
        throw new CommandError(`${file} is incomplete. Run "blog sign-in" again.`);
      }
    },
    async save(credentials) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const part = `${file}.${process.pid}`;
      await writeFile(part, JSON.stringify(credentials), { mode: 0o600 });
      // The mode holds for a new file only.
      await chmod(part, 0o600);
      await rename(part, file);
    },
    forget: () => rm(file, { force: true }),
  };
}
