import { generateSessionKeyPair } from '@blog-content/credentials';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The credentials that the services of one local set-up share: made once, kept beside its data. */
export interface LocalSettings {
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  readonly ownerSessionPrivateJwk: string;
  readonly ownerSessionJwks: string;
  readonly encryptionKeys: string;
  /** Signs what is sent to the demo receiver. */
  readonly webhookSecret: string;
}

/** New random credentials. */
export async function createLocalSettings(): Promise<LocalSettings> {
  const { privateJwk, publicJwks } = await generateSessionKeyPair();
  return {
    ownerEmail: 'owner@example.com',
    ownerPassword: randomBytes(12).toString('base64url'),
    ownerSessionPrivateJwk: privateJwk,
    ownerSessionJwks: publicJwks,
    encryptionKeys: `local:${randomBytes(32).toString('base64')}`,
    webhookSecret: randomBytes(24).toString('base64url'),
  };
}

/** Reads the settings kept in `file` (readable by its owner only), or makes and keeps new ones. */
export async function loadLocalSettings(file: string): Promise<LocalSettings> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (kept !== null) return JSON.parse(kept) as LocalSettings;
  const settings = await createLocalSettings();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(settings, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return settings;
}
