#!/usr/bin/env node
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { secretBoxKeys, sessionPrivateJwk } from '@blog-content/credentials';
import { openPool } from '@blog-content/postgres';
import { baseEnvironment, ConfigError, EXIT_CONFIG, loadConfig, secret } from '@blog-content/service-runtime';
import { z } from 'zod';
import { rotateEncryptionKey } from './rotation/rotate-encryption-key.ts';
import { planSessionKeyRotation } from './rotation/rotate-session-key.ts';
import { createSealedTextStore } from './rotation/sealed-text-store.ts';

const usage = `Usage: npm run rotate -- encryption-key [--dry-run]
       npm run rotate -- session-key <folder>

encryption-key re-encrypts every secret in a service's database with the first key of ENCRYPTION_KEYS, while the service
runs. Run it for each service, once every replica has the new key first: "k2:<new>,k1:<old>". It says how many values
need each other key, and which keys may go. It can be stopped at any moment and run again: it continues.

  DATABASE_URL       PostgreSQL database of the service
  ENCRYPTION_KEYS    keys of the service, the new one first
  --dry-run          open and count the values, without changing any

session-key makes a new key for owner sessions. It writes three files to deploy one after the other, so that nobody is
signed out. It changes nothing else.

  OWNER_SESSION_PRIVATE_JWK    the key that content-service signs with now

Each variable can be in a file instead: DATABASE_URL_FILE, ENCRYPTION_KEYS_FILE, OWNER_SESSION_PRIVATE_JWK_FILE.
The procedures: docs/operations.md, "Rotate secrets".
Exit codes: 0 success, 1 failure or another key is still needed, 2 usage error, 78 invalid environment.
`;

type Command =
  | { readonly name: 'encryption-key'; readonly isDry: boolean }
  | { readonly name: 'session-key'; readonly folder: string };
type Environment = Readonly<Record<string, string | undefined>>;

/** A table with many million rows is counted at the end. */
const STATEMENT_TIMEOUT_MS = 600_000;
const print = (line: string) => process.stdout.write(`${line}\n`);

function commandOf(args: string[]): Command | 'help' {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, 'dry-run': { type: 'boolean', default: false } },
  });
  if (values.help === true) return 'help';
  const [name, folder, ...rest] = positionals;
  const isDry = values['dry-run'];
  switch (name) {
    case 'encryption-key':
      if (folder !== undefined) throw new TypeError(`Unexpected argument “${folder}”.`);
      return { name, isDry };
    case 'session-key':
      if (folder === undefined) throw new TypeError('session-key needs a folder to write into.');
      if (rest.length > 0) throw new TypeError(`Unexpected argument “${rest.join(' ')}”.`);
      if (isDry) throw new TypeError('session-key only writes files: it has no --dry-run.');
      return { name, folder };
    case undefined:
      throw new TypeError('Say what to rotate: encryption-key or session-key.');
    default:
      throw new TypeError(`Unknown secret “${name}”. It must be encryption-key or session-key.`);
  }
}

async function encryptionKey(isDry: boolean, env: Environment): Promise<number> {
  const environment = z.object({
    DATABASE_URL: baseEnvironment.DATABASE_URL,
    ENCRYPTION_KEYS: secretBoxKeys.describe('Keys of the service, the new one first.'),
  });
  const config = loadConfig(environment, env, 'rotate');
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => stopping.abort(new Error(`Stopped by ${signal}. Run the command again to continue.`)));
  }
  const lost = (error: Error) => process.stderr.write(`Connection lost: ${error.message}\n`);
  const pool = openPool(
    { connectionString: config.DATABASE_URL, max: 1, statement_timeout: STATEMENT_TIMEOUT_MS },
    lost,
  );
  try {
    const isDone = await rotateEncryptionKey({
      store: createSealedTextStore(pool),
      keys: config.ENCRYPTION_KEYS,
      isDry,
      signal: stopping.signal,
      print,
      monotonicMs: () => performance.now(),
    });
    return isDone ? 0 : 1;
  } finally {
    await pool.end();
  }
}

async function sessionKey(folder: string, env: Environment): Promise<number> {
  const environment = z.object({
    OWNER_SESSION_PRIVATE_JWK: secret(sessionPrivateJwk).describe('The key that content-service signs with now.'),
  });
  const config = loadConfig(environment, env, 'rotate');
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(`${folder} isn't empty. Give a new folder.`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  print('Deploy these files one after the other:');
  for (const { file, variables, what } of await planSessionKeyRotation(config.OWNER_SESSION_PRIVATE_JWK)) {
    const lines = Object.entries(variables).map(([variable, value]) => `${variable}=${value}\n`);
    writeFileSync(join(folder, file), lines.join(''), { mode: 0o600, flag: 'wx' });
    print(`  ${join(folder, file)}  ${what}`);
  }
  print('Then delete the folder.');
  return 0;
}

/** A connection that is refused by several addresses has no message of its own. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  return error instanceof Error ? error.message : String(error);
}

try {
  const command = commandOf(process.argv.slice(2));
  if (command === 'help') process.stdout.write(usage);
  else if (command.name === 'encryption-key') process.exitCode = await encryptionKey(command.isDry, process.env);
  else process.exitCode = await sessionKey(command.folder, process.env);
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  if (error instanceof TypeError) process.stderr.write(`\n${usage}`);
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : error instanceof TypeError ? 2 : 1;
}
