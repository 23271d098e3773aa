// Runs `prisma generate` in the current package. The generator needs no native schema engine, but Prisma's command
// line downloads one when none is named: any executable satisfies it, so closed networks can generate too.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (existsSync('prisma/schema.prisma')) {
  const { status, stderr } = spawnSync('prisma', ['generate', '--schema', 'prisma/schema.prisma', '--no-hints'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
  });
  if (status !== 0) {
    process.stderr.write(stderr);
    process.exit(1);
  }
}
