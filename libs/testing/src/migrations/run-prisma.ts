import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { workspaceRoot } from '../workspace-root.ts';

const program = join(workspaceRoot, 'node_modules/prisma/build/index.js');

/**
 * Runs Prisma's command line on a database and a folder with `schema.prisma` and `migrations/`. Its engine is
 * WebAssembly: nothing is downloaded.
 */
export async function runPrisma(
  databaseUrl: string,
  prismaFolder: string,
  ...args: readonly string[]
): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
  const config = join(import.meta.dirname, 'prisma.config.mjs');
  const child = spawn(process.execPath, [program, ...args, '--config', config], {
    cwd: workspaceRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      DATABASE_URL: databaseUrl,
      PRISMA_SCHEMA: join(prismaFolder, 'schema.prisma'),
      PRISMA_SCHEMA_ENGINE_BINARY: join(import.meta.dirname, 'schema-engine.mjs'),
      CHECKPOINT_DISABLE: '1',
    },
  });
  const exited = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
  const [status, stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { status, stdout, stderr };
}
