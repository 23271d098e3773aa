import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretBox } from '@blog-content/credentials';
import { signIn, startLocalServices, type LocalServices } from '@blog-content/local-services';
import { dropTestDatabases, eventually, startReceiver, testDatabaseUrl, type Receiver } from '@blog-content/testing';
import pg from 'pg';
import { z } from 'zod';
import { publishThroughAll } from '../project.ts';
import { restoreState, type RecordedState, type ReleasedMigrations } from './recorded-state.ts';

const root = join(import.meta.dirname, '../../../..');
const read = <Data>(file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Data;
const { version, migrations } = read<{ version: string; migrations: ReleasedMigrations }>(
  'docs/released-migrations.json',
);
const state = read<RecordedState>('apps/end-to-end/released/state.json');
const topics = read<Readonly<Record<string, Parameters<typeof z.fromJSONSchema>[0]>>>(
  'apps/end-to-end/released/topics.json',
);

const LOAD = 12;
const prefix = `upgrade_${randomUUID().slice(0, 8)}_`;
const nameOf = (database: string) => testDatabaseUrl(`${prefix}${database.replaceAll('-', '_')}`);
let receiver: Receiver;
let local: LocalServices;
let newPosts: string[];

async function query<Row extends pg.QueryResultRow>(
  database: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: nameOf(database) });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** The present services on what the last release left behind, while others publish. */
beforeAll(async () => {
  receiver = await startReceiver();
  const databases = ['content-service', 'public-read-service', 'webhook-dispatcher', 'event-log'] as const;
  const urls = Object.fromEntries(databases.map((name) => [name, nameOf(name)]));
  await restoreState(state, urls as LocalServices['databaseUrls'], migrations);
  // The receiver has another port than when the state was recorded.
  const { seal } = createSecretBox(state.settings.encryptionKeys);
  await query('webhook-dispatcher', 'UPDATE integration SET sealed_url = $2 WHERE id = $1', [
    state.integrationId,
    seal(receiver.url, `webhook-url:${state.integrationId}`),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-upgrade-'));
  local = await startLocalServices({
    databaseUrl: testDatabaseUrl,
    databasePrefix: prefix,
    settings: state.settings,
    logFolder: folder,
    imageFolder: join(folder, 'images'),
  });
  const owner = await signIn(local.origin, state.settings.ownerEmail, state.settings.ownerPassword);
  newPosts = Array.from({ length: LOAD }, (_, index) => `new-${index}`);
  await Promise.all(newPosts.map((slug) => publishThroughAll(owner, state.projectId, slug)));
}, 180_000);

afterAll(async () => {
  await local?.stop();
  await receiver?.close();
  await dropTestDatabases(prefix);
}, 60_000);

const received = (slug: string) =>
  receiver.requests.filter((request) => request.json<{ slug: string }>().slug === slug).length;

describe(`what release ${state.version} left behind, with these services on it`, () => {
  it('is served whole: what was served, what was in the log or the outbox, what was parked, and what was scheduled', async () => {
    for (const slug of [...state.posts.map((post) => post.slug), ...newPosts]) {
      await eventually(async () => {
        const answer = await fetch(`${local.origin}/blog/api/v1/public/blogs/${slug}`, {
          headers: { Authorization: `Bearer ${state.publicKey}` },
        });
        expect([slug, answer.status]).toEqual([slug, 200]);
      });
    }
    expect(await query('public-read-service', 'SELECT key FROM parked_event')).toEqual([]);
  }, 180_000);

  it('is delivered once: what waited arrives, and what had arrived or was under way isn’t repeated', async () => {
    const expected = new Map<string, number>([
      ...state.posts.map(({ slug, delivery }) => [slug, delivery === 'waits' ? 1 : 0] as const),
      ...newPosts.map((slug) => [slug, 1] as const),
    ]);
    await eventually(() => {
      expect(new Map([...expected.keys()].map((slug) => [slug, received(slug)]))).toEqual(expected);
    });
    await eventually(async () => {
      expect(await query('webhook-dispatcher', 'SELECT delivery_id FROM delivery_queue')).toEqual([]);
    });
    const interrupted = await query(
      'webhook-dispatcher',
      `SELECT status, reason FROM delivery WHERE blog_id = ANY ($1::uuid[])`,
      [state.posts.filter(({ delivery }) => delivery === 'interrupted').map(({ id }) => id)],
    );
    expect(interrupted).toEqual([{ status: 'failed', reason: 'interrupted' }]);
  }, 180_000);

  it('is of the release whose migrations are recorded', () => {
    expect(state.version).toBe(version);
  });

  it('is left with messages that the release’s consumers accept', async () => {
    const schemas = new Map(Object.entries(topics).map(([topic, schema]) => [topic, z.fromJSONSchema(schema)]));
    const messages = await query<{ topic: string; value: string }>(
      'event-log',
      'SELECT topic, value FROM event_log.messages WHERE value IS NOT NULL',
    );
    const seen = new Set<string>();
    for (const { topic, value } of messages) {
      const schema = schemas.get(topic);
      // A topic that the release doesn't know has no consumer there.
      if (schema === undefined) continue;
      seen.add(topic);
      const parsed = schema.safeParse(JSON.parse(value));
      expect([topic, parsed.error?.issues ?? []]).toEqual([topic, []]);
    }
    expect([...seen].toSorted()).toEqual(expect.arrayContaining(['blog.deliveries', 'blog.lifecycle', 'blog.served']));
  });
});
