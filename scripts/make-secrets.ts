// Writes new secrets, an environment file per service, for docker/compose.yml and k8s/overlays/local.
import { generateSessionKeyPair } from '@blog-content/credentials';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
if (folder === undefined || folder.startsWith('-')) {
  console.error('Usage: npm run make-secrets -- <folder>     e.g. docker/secrets or k8s/overlays/local/secrets');
  process.exit(2);
}
if (existsSync(join(folder, 'postgres.env'))) {
  console.error(`${folder} holds secrets already: remove the folder first if they are to be replaced.`);
  process.exit(1);
}

const { privateJwk, publicJwks } = await generateSessionKeyPair();
const postgresPassword = randomBytes(18).toString('base64url');
const databaseUrl = (database: string) => `postgresql://blog:${postgresPassword}@postgres:5432/${database}`;
const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`;

const files: Record<string, Record<string, string>> = {
  postgres: { POSTGRES_USER: 'blog', POSTGRES_PASSWORD: postgresPassword },
  'content-service': {
    DATABASE_URL: databaseUrl('content_service'),
    OWNER_SESSION_PRIVATE_JWK: privateJwk,
    BOOTSTRAP_OWNER_EMAIL: 'owner@example.com',
    BOOTSTRAP_OWNER_PASSWORD: randomBytes(12).toString('base64url'),
  },
  'public-read-service': {
    DATABASE_URL: databaseUrl('public_read_service'),
    OWNER_SESSION_JWKS: publicJwks,
    ENCRYPTION_KEYS: encryptionKeys,
  },
  'webhook-dispatcher': {
    DATABASE_URL: databaseUrl('webhook_dispatcher'),
    OWNER_SESSION_JWKS: publicJwks,
    ENCRYPTION_KEYS: encryptionKeys,
  },
};

mkdirSync(folder, { recursive: true, mode: 0o700 });
for (const [name, variables] of Object.entries(files)) {
  const lines = Object.entries(variables).map(([variable, value]) => `${variable}=${value}\n`);
  writeFileSync(join(folder, `${name}.env`), lines.join(''), { mode: 0o600 });
}
console.log(
  `Wrote ${Object.keys(files).length} files into ${folder}. The owner’s sign-in stands in content-service.env.`,
);
