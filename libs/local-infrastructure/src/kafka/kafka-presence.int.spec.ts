import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../../..');

interface NxConfiguration {
  readonly targetDefaults: { readonly test: { readonly inputs: readonly (string | { readonly runtime?: string })[] } };
}

describe('the cache of test results', () => {
  it('distinguishes runs with Kafka from runs without, but not brokers', async () => {
    const { targetDefaults } = JSON.parse(await readFile(join(root, 'nx.json'), 'utf8')) as NxConfiguration;
    const command = targetDefaults.test.inputs.flatMap((input) =>
      typeof input === 'object' && input.runtime !== undefined ? [input.runtime] : [],
    )[0];
    expect(command).toContain('scripts/kafka-presence.ts');
    const presence = async (env: Record<string, string>) => {
      const nothing = { PATH: process.env['PATH'], BLOG_KAFKA: 'java', JAVA_HOME: '', KAFKA_BROKERS: '' };
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command ?? ''], {
        cwd: root,
        env: { ...nothing, ...env },
      });
      return stdout;
    };
    const first = await presence({ TEST_KAFKA_BROKERS: '127.0.0.1:1' });
    expect(await presence({ TEST_KAFKA_BROKERS: '127.0.0.1:2' })).toBe(first);
    // A machine that has Node and nothing else.
    const folder = await mkdtemp(join(tmpdir(), 'blog-content-node-'));
    await symlink(process.execPath, join(folder, 'node'));
    expect(await presence({ PATH: folder })).not.toBe(first);
    await rm(folder, { recursive: true });
  });
});
