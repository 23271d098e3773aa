import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Server parameters for databases whose content nobody needs after the tests: nothing waits for the disk. */
export const testPostgresSettings: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '600',
  max_wal_size: '2GB',
  jit: 'off',
};

/** A new folder for a server that is started as `disposable`, which deletes it. */
export function disposableFolder(server: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `blog-content-${server}-`));
}
