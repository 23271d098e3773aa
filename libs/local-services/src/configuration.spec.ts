import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@blog-content/payload-schemas';
import { fileVariableOf, isSecret, loadConfig } from '@blog-content/service-runtime';
import type { z } from 'zod';
import { configurationDocument } from './configuration.ts';

const root = join(import.meta.dirname, '../../..');

describe('docs/configuration.md', () => {
  it('has every variable of every service as its schema describes it (else run `npm run docs`)', async () => {
    expect(readFileSync(join(root, 'docs/configuration.md'), 'utf8')).toBe(await configurationDocument(root));
  });

  it('shows defaults, values and secrets', async () => {
    const document = await configurationDocument(root);
    const row = (name: string) => document.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row('PORT')).toMatch(/\| all \| `8080` \| 0 to 65535 \| /);
    expect(row('LOG_LEVEL')).toMatch(/\| `info` \| `debug`, `info`, `warn`, `error` \| /);
    expect(row('OWNER_SESSION_PRIVATE_JWK')).toMatch(
      /\| content-service \| required \| secret, or `OWNER_SESSION_PRIVATE_JWK_FILE` \| /,
    );
    expect(row('S3_SECRET_ACCESS_KEY')).toContain('| secret, or `S3_SECRET_ACCESS_KEY_FILE` |');
    expect(row('KAFKA_BROKERS')).toMatch(/\| all \| {2}\| {2}\| /);
  });
});

it.each(serviceNames)('reads every secret of %s from a file, too', async (service) => {
  const { environment } = (await import(join(root, 'apps', service, 'src/config.ts'))) as { environment: z.ZodObject };
  const secrets = Object.entries(environment.shape as Record<string, z.ZodType>)
    .filter(([name, variable]) => isSecret(name, variable))
    .map(([name]) => fileVariableOf(name));
  expect(secrets.length).toBeGreaterThan(5);
  const files = Object.fromEntries(secrets.map((name) => [name, '/no/such/file']));
  const load = () => loadConfig(environment, files, service);
  for (const name of secrets) expect(load).toThrow(`${name} is "/no/such/file": the file doesn’t exist.`);
});
