import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kafkaAvailability } from '@blog-content/local-infrastructure';
import { compileCache } from '@blog-content/testing';

const MAIN = join(import.meta.dirname, '../../../scripts/drills/main.ts');

/** Runs a drill as `npm run drill` does, on servers of its own. */
function runDrill(...args: string[]): Promise<{ code: number | null; output: string }> {
  const { KAFKA_BROKERS: _brokers, DATABASE_URL: _database, ...env } = process.env;
  const child = spawn(
    process.execPath,
    ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning', MAIN, ...args],
    { env: { ...env, ...compileCache }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

it('every drill is in the help, and an unknown one is named', async () => {
  const { code, output } = await runDrill('--help');
  const named = [...output.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name);
  const files = readdirSync(dirname(MAIN)).filter((file) => file.endsWith('.ts') && file !== 'main.ts');
  expect([code, named]).toEqual([0, files.map((file) => file.slice(0, -'.ts'.length)).toSorted()]);
  expect(await runDrill('flood')).toEqual({ code: 2, output: expect.stringContaining('no drill “flood”') });
  expect(await runDrill()).toEqual({ code: 2, output: expect.stringContaining('Which drill?') });
});

// Without any way to Kafka they are skipped, loudly; in CI they fail.
const kafkaFound = await kafkaAvailability();
if (!kafkaFound.available) console.warn(`NOT TESTED without Kafka: ${kafkaFound.reason}`);
const itWithKafka = kafkaFound.available || process.env['CI'] ? it : it.skip;

itWithKafka(
  'a hot backup is restored to a moment: no post and no delivery is lost, none repeated',
  async () => {
    const { code, output } = await runDrill('hot-backup');
    expect([code, output]).toEqual([0, expect.stringContaining('Passed: hot-backup')]);
  },
  300_000,
);

itWithKafka(
  'after a fail-over that lost transactions, the check names all posts that nobody owns, and the repair removes them',
  async () => {
    const { code, output } = await runDrill('postgres-failover');
    expect([code, output]).toEqual([0, expect.stringContaining('Passed: postgres-failover')]);
  },
  300_000,
);
