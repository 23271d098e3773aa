#!/usr/bin/env node
// Writes new secrets for docker/compose.yml and k8s/overlays/local: environment files for PostgreSQL, for each service
// and for its migration.
import { generateSessionKeyPair } from '@blog-content/credentials';
import type { ServiceName } from '@blog-content/payload-schemas';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const usage = `Usage: npm run make-secrets -- <folder>

Generates secrets for Compose (docker/secrets) or Kubernetes (k8s/overlays/local/secrets): a file for PostgreSQL, and
two for each service. The folder must not have secrets yet.

From an image:
  docker run --rm --user "$(id -u)" -v "$PWD:/out" blog-content/content-service:1 make-secrets /out/secrets

Exit codes: 0 success, 1 failure, 2 usage error.`;

const folder = process.argv[2];
if (folder === '--help' || folder === '-h') {
  console.log(usage);
  process.exit(0);
}
if (folder === undefined || folder.startsWith('-')) {
  console.error(usage);
  process.exit(2);
}
if (existsSync(join(folder, 'postgres.env'))) {
  console.error(`${folder} already has secrets. To replace them, remove the folder first.`);
  process.exit(1);
}

const { privateJwk, publicJwks } = await generateSessionKeyPair();
const password = () => randomBytes(18).toString('base64url');
const encryptionKeys = () => `k1:${randomBytes(32).toString('base64')}`;
const databaseUrl = (role: string, itsPassword: string, database: string) =>
  `postgresql://${role}:${itsPassword}@postgres:5432/${database}`;

const ofServices: Record<ServiceName, Record<string, string>> = {
  'content-service': {
    OWNER_SESSION_PRIVATE_JWK: privateJwk,
    OWNER_SESSION_JWKS: publicJwks,
    BOOTSTRAP_OWNER_EMAIL: 'owner@example.com',
    BOOTSTRAP_OWNER_PASSWORD: randomBytes(12).toString('base64url'),
    ENCRYPTION_KEYS: encryptionKeys(),
  },
  'public-read-service': { OWNER_SESSION_JWKS: publicJwks, ENCRYPTION_KEYS: encryptionKeys() },
  'webhook-dispatcher': { OWNER_SESSION_JWKS: publicJwks, ENCRYPTION_KEYS: encryptionKeys() },
};

const migrations = password();
const postgres: Record<string, string> = {
  POSTGRES_USER: 'postgres',
  POSTGRES_PASSWORD: password(),
  MIGRATIONS_PASSWORD: migrations,
};
const files: Record<string, Record<string, string>> = { postgres };
for (const [service, variables] of Object.entries(ofServices)) {
  const database = service.replaceAll('-', '_');
  const itsPassword = password();
  postgres[`${database.toUpperCase()}_PASSWORD`] = itsPassword;
  files[service] = { DATABASE_URL: databaseUrl(database, itsPassword, database), ...variables };
  files[`${service}-migration`] = { DATABASE_URL: databaseUrl('migrations', migrations, database) };
}

mkdirSync(folder, { recursive: true, mode: 0o700 });
for (const [name, variables] of Object.entries(files)) {
  const lines = Object.entries(variables).map(([variable, value]) => `${variable}=${value}\n`);
  writeFileSync(join(folder, `${name}.env`), lines.join(''), { mode: 0o600 });
}
console.log(`Wrote ${Object.keys(files).length} files into ${folder}. The owner’s sign-in is in content-service.env.`);
