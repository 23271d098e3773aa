import type { AssembledServices } from '@blog-content/local-services';
import { serviceNames } from '@blog-content/payload-schemas';
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

const workspaceRoot = join(import.meta.dirname, '../../../..');

/**
 * Builds the services and puts each together in `folder` as docker/Dockerfile does. Their program is a copy of Node
 * that nothing else on this machine maps: what they share, they share with one another, as the services of a node do.
 */
export function assembleServices(folder: string): AssembledServices {
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, { cwd: workspaceRoot, stdio: ['ignore', 'ignore', 'inherit'] });
  run('npx', ['nx', 'run-many', '-t', 'build', '-p', serviceNames.join(','), '--output-style=static']);
  const rootOf = (name: string) => join(folder, name);
  for (const name of serviceNames) run(process.execPath, ['docker/assemble.mjs', `apps/${name}`, rootOf(name)]);
  const node = join(folder, 'node');
  copyFileSync(process.execPath, node);
  return { node, rootOf };
}
