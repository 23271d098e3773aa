import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { caddyfile } from './caddyfile.ts';
import { configurationDocument } from './configuration.ts';

const root = join(import.meta.dirname, '../../..');
writeFileSync(join(root, 'docker/dashboard/Caddyfile'), caddyfile());
writeFileSync(join(root, 'docs/configuration.md'), await configurationDocument(root));
