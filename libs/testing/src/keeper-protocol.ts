import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { workspaceRoot } from './workspace-root.ts';

/** What the keeper can be asked for: one line with this word. */
export type KeptServer = 'postgres' | 'kafka';

/** The keeper's answer, one line of JSON. `values`: PostgreSQL's maintenance URL, or Kafka's brokers. */
export type KeeperAnswer =
  { readonly ok: true; readonly values: readonly string[] } | { readonly ok: false; readonly message: string };

/** Everything the keeper of this checkout and user has on disk. A socket's path may not exceed 103 bytes. */
export function keeperFolder(): string {
  const hash = createHash('sha256').update(workspaceRoot).digest('hex').slice(0, 8);
  const base = tmpdir().length > 55 ? '/tmp' : tmpdir();
  return join(base, `blog-content-tests-${userInfo().uid}-${hash}`);
}

/** Where the keeper listens. */
export function keeperSocket(): string {
  return join(keeperFolder(), 'keeper.sock');
}

/** What the keeper said when it failed. */
export function keeperLog(): string {
  return join(keeperFolder(), 'keeper.log');
}
