import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Container {
  readonly image: string;
  readonly mem_limit?: string;
  readonly logging?: { readonly options?: Readonly<Record<string, string>> };
  readonly healthcheck?: Readonly<Record<string, unknown>>;
}

const docker = join(import.meta.dirname, '../../../docker');
const read = (file: string) => readFileSync(join(docker, file), 'utf8');
const containersOf = (file: string) =>
  Object.entries(
    (parse(read(file), { merge: true, logLevel: 'error' }) as { services: Record<string, Container> }).services,
  );

const SECOND = '1s';
const AT_REST = '30s';

describe.each(containersOf('compose.yml'))('the container %s', (_name, { logging, mem_limit }) => {
  it('rotates its logs, and has a memory limit', () => {
    expect(logging?.options).toEqual({ 'max-size': '20m', 'max-file': '5' });
    expect(mem_limit).toMatch(/^\d+[mg]$/);
  });
});

describe('health checks', () => {
  const own = ['compose.yml', 'compose.smoke.yml']
    .flatMap(containersOf)
    .filter(([, { healthcheck }]) => healthcheck !== undefined && healthcheck['disable'] !== true);

  it.each(own)('of %s run each second only while it starts', (_name, { healthcheck }) => {
    expect(healthcheck).toMatchObject({ start_interval: SECOND, interval: AT_REST });
  });

  it.each(own)('of %s start neither Node nor Java', (_name, { healthcheck }) => {
    expect(JSON.stringify(healthcheck?.['test'])).not.toMatch(/node|java|kafka-/);
  });

  it('of the images do the same, in bash', () => {
    const checks = [...read('Dockerfile').matchAll(/^HEALTHCHECK (.*) \\\n {2}CMD (.*)$/gm)];
    expect(checks).toHaveLength(2);
    for (const [, options, command = ''] of checks) {
      expect(options).toContain(`--interval=${AT_REST}`);
      expect(options).toContain(`--start-interval=${SECOND}`);
      const [shell] = JSON.parse(command) as readonly string[];
      expect(shell).toBe('bash');
    }
  });
});
