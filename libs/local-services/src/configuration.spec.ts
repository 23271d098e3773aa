import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
    expect(row('OWNER_SESSION_PRIVATE_JWK')).toMatch(/\| content-service \| required \| secret \| /);
    expect(row('KAFKA_BROKERS')).toMatch(/\| all \| {2}\| {2}\| /);
  });
});
