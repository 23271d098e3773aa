import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { caddyfile } from './caddyfile.ts';

writeFileSync(join(import.meta.dirname, '../../../docker/dashboard/Caddyfile'), caddyfile());
