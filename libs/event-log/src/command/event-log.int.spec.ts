import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { lifecycleTopic } from '@blog-content/payload-schemas';
import { compileCache, createEmptyDatabase, eventually } from '@blog-content/testing';
import pg from 'pg';
import { recordingLogger } from '../../test/recording-logger.ts';
import { deadLetterTopic, toDeadLetter } from '../dead-letter.ts';
import { onTopic, openEventLog, PARKED_EVENTS_TABLE_SQL, type EventLog } from '../index.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let logDatabase: Awaited<ReturnType<typeof createEmptyDatabase>>;
let pool: pg.Pool;
let log: EventLog;
beforeAll(async () => {
  [database, logDatabase] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await pool.query(PARKED_EVENTS_TABLE_SQL);
  log = await openEventLog({ kind: 'postgres', databaseUrl: logDatabase.url }, recordingLogger());
});
beforeEach(async () => {
  await pool.query('TRUNCATE parked_event');
});
afterAll(async () => {
  await log.close();
  await pool.end();
  await Promise.all([database.drop(), logDatabase.drop()]);
});

/** Runs the command as an operator does. */
const run = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const program = join(import.meta.dirname, 'event-log.main.ts');
    const env = { ...compileCache, DATABASE_URL: database.url, EVENT_LOG_DATABASE_URL: logDatabase.url };
    execFile(
      process.execPath,
      ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning', program, ...args],
      { env },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

/** Parks events of a key; returns their ids. */
async function park(key: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const [at, id] of ids.entries()) {
    await pool.query(
      `INSERT INTO parked_event
         (topic, key, event_id, partition, "offset", project_id, blog_id, event, error, failures, retry_at)
       VALUES ('blog.lifecycle', $1, $2, 3, '17', 'a project', $1, $3, $4, 5, now() + interval '1 hour')`,
      [key, id, JSON.stringify({ id, topic: 'blog.lifecycle', type: 'blog.published' }), at === 0 ? 'a bug' : null],
    );
  }
  return ids;
}

const parkedIds = async () => {
  const { rows } = await pool.query<{ event_id: string; due: boolean }>(
    'SELECT event_id, retry_at <= now() AS due FROM parked_event ORDER BY position',
  );
  return rows;
};

describe('the command event-log', () => {
  it('lists parked events as text and as JSON, and says when there are none', async () => {
    expect(await run('parked')).toEqual({ code: 0, stdout: '', stderr: 'No events are parked.\n' });
    const [first] = await park('blog-1', 3);
    const { stdout } = await run('parked');
    expect(stdout).toContain('blog-1  project a project, post blog-1');
    expect(stdout).toContain(`blog.published of blog.lifecycle, event ${first}, partition 3, offset 17`);
    expect(stdout).toContain('2 events wait behind it');
    expect(stdout).toContain('a bug');
    const asJson = await run('parked', '--json');
    expect(JSON.parse(asJson.stdout)).toMatchObject({ key: 'blog-1', event_id: first, waiting: 2, error: 'a bug' });
  });

  it('retries a key only with --yes', async () => {
    await park('blog-1', 2);
    const dry = await run('retry', 'blog-1');
    expect([dry.code, dry.stderr]).toEqual([0, 'Nothing was changed. Add --yes to do it.\n']);
    expect((await parkedIds()).map(({ due }) => due)).toEqual([false, false]);
    expect((await run('retry', 'blog-1', '--yes')).code).toBe(0);
    expect((await parkedIds()).map(({ due }) => due)).toEqual([true, true]);
    expect(await run('retry', 'blog-2', '--yes')).toMatchObject({
      code: 1,
      stderr: 'No events of “blog-2” are parked.\n',
    });
  });

  it('skips one event only with --yes, and makes those behind it due', async () => {
    const [first, second] = await park('blog-1', 2);
    const dry = await run('skip', first!);
    expect(dry.stderr).toContain('It would be deleted permanently');
    expect(JSON.parse(dry.stdout)).toMatchObject({ id: first });
    expect(await parkedIds()).toHaveLength(2);
    expect(await run('skip', first!, '--yes')).toMatchObject({ code: 0, stderr: 'Deleted.\n' });
    expect(await parkedIds()).toEqual([{ event_id: second, due: true }]);
    expect((await run('skip', first!, '--yes')).code).toBe(1);
  });

  it('reappends the dead letters that can be parsed now, once each, and only with --yes', async () => {
    await log.ensureTopics([lifecycleTopic]);
    const received: string[] = [];
    const subscription = await log.subscribe({
      group: randomUUID(),
      logger: recordingLogger(),
      handlers: [
        onTopic(lifecycleTopic, (events) => Promise.resolve(void received.push(...events.map(({ id }) => id)))),
      ],
    });
    const [readable, unreadable] = [randomUUID(), randomUUID()];
    const data = {
      event: 'blog.deleted',
      project_id: randomUUID(),
      blog_id: randomUUID(),
      blog_event_number: 2,
      trigger: 'manual',
      title: 'Tea',
      deleted_at: '2026-11-28T12:00:00.000Z',
    };
    for (const [id, value] of [
      [readable, data],
      [readable, data],
      [unreadable, { event: 'blog.deleted' }],
    ] as const) {
      await appendDeadLetter(id, value);
    }
    const dry = await run('replay-dlq', '--topic', 'blog.lifecycle');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout.trim().split('\n')).toHaveLength(1);
    expect(dry.stderr).toBe(
      '1 can be read now, 1 still can’t.\nNothing was changed. Add --yes to do it.\n'.replace('’', "'"),
    );
    expect(received).toEqual([]);
    expect(await run('replay-dlq', '--yes')).toMatchObject({ code: 0 });
    await eventually(() => expect(received).toEqual([readable]));
    await subscription.stop();
    expect((await run('replay-dlq', '--since', '2030-01-01')).stderr).toContain('0 can be read now');
    expect((await run('replay-dlq', '--topic', 'blog.unknown')).code).toBe(1);
  });

  it('prints its usage, and exits with 2 for wrong arguments', async () => {
    expect((await run('--help')).stdout).toContain('Usage: npm run event-log');
    for (const args of [
      [],
      ['forget'],
      ['retry'],
      ['parked', 'a', 'b'],
      ['--what'],
      ['replay-dlq', '--since', 'noon'],
    ]) {
      const { code, stderr } = await run(...args);
      expect([args, code]).toEqual([args, 2]);
      expect(stderr).toContain('Usage:');
    }
  });
});

/** As a consumer puts a message there that it could not read. */
async function appendDeadLetter(id: string, value: object): Promise<void> {
  const { topic, ...letter } = toDeadLetter(
    {
      topic: lifecycleTopic.name,
      partition: 0,
      offset: '1',
      key: 'blog-1',
      value: JSON.stringify(value),
      headers: {
        ce_id: id,
        ce_type: 'blog.deleted',
        ce_source: '/content-service',
        ce_time: '2026-11-28T12:00:00.000Z',
        ce_partitionkey: 'project-1',
      },
    },
    { group: 'a group', reason: 'schema-mismatch', detail: 'a field is missing' },
  );
  await log.ensureTopics([deadLetterTopic(lifecycleTopic)]);
  await log.append([
    {
      id,
      topic,
      type: letter.headers['ce_type'] ?? '',
      source: '/content-service',
      key: letter.key ?? '',
      partitionKey: letter.partitionKey,
      time: '2026-11-28T12:00:00.000Z',
      data: value,
    },
  ]);
}
