// Runs `prisma generate` in the current package. The generator needs no native schema engine, but Prisma's command
// line downloads one when none is named: any executable satisfies it, so closed networks can generate too.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const CLIENT = 'src/generated/prisma/internal/class.ts';

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
  readCompilerAsText();
}

/**
 * Prisma's client imports its query compiler as a module with one text, which Node keeps for good, twice: 5 MiB of each
 * service (ADR 17). It is to read the text instead.
 */
function readCompilerAsText() {
  const client = readFileSync(CLIENT, 'utf8');
  const pattern = /const \{ wasm \} = await import\(("[^"]+")\)\s+return await decodeBase64AsWasm\(wasm\)/;
  if (!pattern.test(client)) throw new Error(`${CLIENT} does not load the query compiler as expected.`);
  const reading = (module) =>
    [
      `const { readFile } = await import('node:fs/promises')`,
      `const source = await readFile(new URL(import.meta.resolve(${module})), 'latin1')`,
      `return await decodeBase64AsWasm(/"([^"]+)"/.exec(source)?.[1] ?? '')`,
    ].join('\n    ');
  writeFileSync(
    CLIENT,
    client.replace(pattern, (_whole, module) => reading(module)),
  );
}
