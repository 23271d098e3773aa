import { hash, randomBytes, randomUUID } from 'node:crypto';
import { execFile, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createSecretBox, SEALED_COLUMNS } from '@blog-content/credentials';
import { serviceNames } from '@blog-content/payload-schemas';
import { compileCache, createTestDatabase, eventually } from '@blog-content/testing';
import pg from 'pg';

const newKey = () => randomBytes(32).toString('base64');
const k1 = `k1:${newKey()}`;
const k2 = `k2:${newKey()}`;
const before = createSecretBox(k1);
const during = createSecretBox(`${k2},${k1}`);
const after = createSecretBox(k2);

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command as an operator does. */
function start(args: readonly string[], env: Record<string, string>) {
  const program = join(import.meta.dirname, '../rotate.main.ts');
  const options = ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning'];
  let child!: ChildProcess;
  const finished = new Promise<Finished>((resolve) => {
    child = execFile(
      process.execPath,
      [...options, program, ...args],
      { env: { ...compileCache, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
  return { child, finished };
}

type Database = Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let pool: pg.Pool;
beforeEach(async () => {
  database = await createTestDatabase('webhook-dispatcher');
  pool = new pg.Pool({ connectionString: database.url });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const rotate = (keys: string, ...args: string[]) =>
  start(['encryption-key', ...args], { DATABASE_URL: database.url, ENCRYPTION_KEYS: keys });

/** Adds integrations whose URL is `https://<id>.example/`; returns their ids. */
async function addIntegrations(count: number, box = before): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await pool.query(
    `INSERT INTO integration (id, project_id, name, shown_url, sealed_url, active)
     SELECT id, gen_random_uuid(), 'one', 'https://one.example', sealed, true FROM unnest($1::uuid[], $2::text[]) AS t (id, sealed)`,
    [ids, ids.map((id) => box.seal(`https://${id}.example/`, `webhook-url:${id}`))],
  );
  return ids;
}

async function urls(): Promise<{ id: string; sealed_url: string }[]> {
  return (await pool.query<{ id: string; sealed_url: string }>('SELECT id, sealed_url FROM integration')).rows;
}

/** How many URLs a key has sealed. */
async function sealedWith(key: string): Promise<number> {
  return (await urls()).filter(({ sealed_url }) => sealed_url.startsWith(`v1.${key}.`)).length;
}

describe('rotate encryption-key', () => {
  it.each(serviceNames)('knows every sealed column of %s', async (service) => {
    await using own = {
      ...(await createTestDatabase(service)),
      [Symbol.asyncDispose]: () => ownPool.end().then(() => own.drop()),
    };
    const ownPool = new pg.Pool({ connectionString: own.url });
    const { rows } = await ownPool.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name LIKE 'sealed%' ORDER BY 1`,
    );
    const known = SEALED_COLUMNS[service].map(({ table, column }) => `${table}.${column}`);
    expect(rows.map(({ name }) => name)).toEqual(known.toSorted());
  });

  it('re-encrypts every secret, says that the old key may go, and leaves what the log names', async () => {
    const [id = ''] = await addIntegrations(1);
    const projectId = randomUUID();
    const headers = before.seal('{"X-Key":"abc"}', `webhook-headers:${id}`);
    const earlier = before.seal('{"X-Key":"earlier"}', `webhook-headers:${id}`);
    const fingerprint = (sealed: string) => hash('sha256', sealed, 'base64url');
    await pool.query('UPDATE integration SET sealed_secret = $1, sealed_headers = $2', [
      before.seal('a secret of at least 16', `webhook-secret:${id}`),
      headers,
    ]);
    await pool.query(
      `INSERT INTO integration_headers (integration_id, hash, sealed_headers, replaced_at)
       VALUES ($1, $2, $3, NULL), ($1, $4, $5, now())`,
      [id, fingerprint(headers), headers, fingerprint(earlier), earlier],
    );
    await pool.query(
      `INSERT INTO deploy_hook (project_id, method, sealed_url, sealed_parts, active) VALUES ($1, 'POST', $2, $3, true)`,
      [
        projectId,
        before.seal('https://hook.example/', `deploy-hook:${projectId}`),
        before.seal('{}', `deploy-hook-parts:${projectId}`),
      ],
    );

    const { code, stdout } = await rotate(`${k2},${k1}`).finished;
    expect(stdout).toContain('Database of webhook-dispatcher, sealing with key k2');
    expect(stdout).toMatch(/integration_headers\.sealed_headers +2 values re-encrypted/);
    expect(stdout).toContain('Values by key: k2 8\n');
    expect(stdout).toContain('k1 may go: 0 values need it.');
    expect(code).toBe(0);

    const [row] = (await pool.query<Record<string, string>>('SELECT * FROM integration')).rows;
    expect(after.open(String(row?.['sealed_url']), `webhook-url:${id}`)).toBe(`https://${id}.example/`);
    expect(after.open(String(row?.['sealed_secret']), `webhook-secret:${id}`)).toBe('a secret of at least 16');
    const now = String(row?.['sealed_headers']);
    expect(after.open(now, `webhook-headers:${id}`)).toBe('{"X-Key":"abc"}');
    const [hook] = (await pool.query<Record<string, string>>('SELECT * FROM deploy_hook')).rows;
    expect(after.open(String(hook?.['sealed_url']), `deploy-hook:${projectId}`)).toBe('https://hook.example/');
    expect(after.open(String(hook?.['sealed_parts']), `deploy-hook-parts:${projectId}`)).toBe('{}');
    const { rows: kept } = await pool.query<{ hash: string; sealed_headers: string; current: boolean }>(
      'SELECT hash, sealed_headers, replaced_at IS NULL AS current FROM integration_headers',
    );
    const opened = kept.map(({ hash, sealed_headers, current }) => [
      hash,
      after.open(sealed_headers, `webhook-headers:${id}`),
      current,
    ]);
    expect(opened).toHaveLength(3);
    expect(opened).toEqual(
      expect.arrayContaining([
        [fingerprint(earlier), '{"X-Key":"earlier"}', false],
        [fingerprint(headers), '{"X-Key":"abc"}', false],
        [fingerprint(now), '{"X-Key":"abc"}', true],
      ]),
    );
  });

  it('only counts with --dry-run', async () => {
    await addIntegrations(3);
    const { code, stdout } = await rotate(`${k2},${k1}`, '--dry-run').finished;
    expect(stdout).toMatch(/integration\.sealed_url +3 values to re-encrypt/);
    expect(stdout).toContain('k1 must stay: 3 values sealed with it.\nNothing was changed.');
    expect([code, await sealedWith('k1')]).toEqual([1, 3]);
  });

  it('loses nothing when it is killed, and continues where it was', async () => {
    const ids = await addIntegrations(4_000);
    const { child, finished } = rotate(`${k2},${k1}`);
    await eventually(async () => expect(await sealedWith('k2')).toBeGreaterThan(0));
    child.kill('SIGKILL');
    await finished;
    const half = await urls();
    expect(half).toHaveLength(ids.length);
    for (const { id, sealed_url } of half) {
      expect(during.open(sealed_url, `webhook-url:${id}`)).toBe(`https://${id}.example/`);
    }
    const { code, stdout } = await rotate(`${k2},${k1}`).finished;
    expect(stdout).toContain('k1 may go: 0 values need it.');
    expect(code).toBe(0);
    for (const { id, sealed_url } of await urls()) {
      expect(after.open(sealed_url, `webhook-url:${id}`)).toBe(`https://${id}.example/`);
    }
  });

  it('keeps what services write at the same time', async () => {
    const ids = await addIntegrations(2_000);
    const expected = new Map(ids.map((id) => [id, `https://${id}.example/`]));
    let isDone = false;
    const writing = (async () => {
      for (let at = 0; !isDone; at = (at + 7) % ids.length) {
        const id = ids[at] ?? '';
        const url = `https://${randomUUID()}.example/`;
        await pool.query('UPDATE integration SET sealed_url = $2, failed_in_row = 0 WHERE id = $1', [
          id,
          during.seal(url, `webhook-url:${id}`),
        ]);
        expected.set(id, url);
      }
    })();
    const { code, stdout } = await rotate(`${k2},${k1}`).finished;
    isDone = true;
    await writing;
    expect([code, stdout]).toEqual([0, expect.stringContaining('k1 may go')]);
    for (const { id, sealed_url } of await urls())
      expect(after.open(sealed_url, `webhook-url:${id}`)).toBe(expected.get(id));
  });

  it('passes over a locked row, and seals it once it is free', async () => {
    const [id = ''] = await addIntegrations(5);
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM integration WHERE id = $1 FOR UPDATE', [id]);
    const { finished } = rotate(`${k2},${k1}`);
    await eventually(async () => expect(await sealedWith('k2')).toBe(4));
    await client.query('COMMIT');
    client.release();
    expect((await finished).code).toBe(0);
    expect(await sealedWith('k2')).toBe(5);
  });

  it('names what it can’t open without showing it', async () => {
    const lost = createSecretBox(`k0:${newKey()}`);
    await addIntegrations(1);
    const [id = ''] = await addIntegrations(1, lost);
    const { code, stdout } = await rotate(`${k2},${k1}`).finished;
    expect(stdout).toContain('k1 may go');
    expect(stdout).toContain(`Can't open integration.sealed_url of ${id}. The text is sealed with the key "k0"`);
    expect(stdout).not.toContain('v1.k0');
    expect(code).toBe(1);
  });

  it('is content when there is nothing to do', async () => {
    await addIntegrations(2);
    const { code, stdout } = await rotate(k1).finished;
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('k1 is the only key, and every value is sealed with it.'),
    ]);
  });
});
