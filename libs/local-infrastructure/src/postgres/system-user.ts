import { spawnSync } from 'node:child_process';

/** A user without root's rights. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root: then this is the system's `postgres` user, or else `nobody`, who exists
 * everywhere. `undefined` for everyone but root: they run it as themselves.
 */
export function systemUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const uid = numberOf('id', ['-u', name]);
    const gid = numberOf('id', ['-g', name]);
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error('PostgreSQL cannot run as root, and there is no system user `postgres` or `nobody` to run it as.');
}

function numberOf(command: string, args: string[]): number | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? Number(stdout.trim()) : undefined;
}

/** Whether `user` may enter the folder, or run the program, at `path`. */
export function mayEnter(user: SystemUser, path: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'test', path], { cwd: '/', ...user }).status === 0;
}
