import { createEmptyDatabase, type TestDatabase } from '@blog-content/testing';
import { Pool } from 'pg';
import { countedRange, countedTopic } from '../../test/counted-topic.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { openEventLog, type EventLog } from '../index.ts';
import { sweep } from './sweep.ts';

const HOUR_MS = 3_600_000;

describe('sweep', () => {
  let database: TestDatabase;
  let pool: Pool;
  let log: EventLog;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    pool = new Pool({ connectionString: database.url });
    log = await openEventLog({ kind: 'postgres', databaseUrl: database.url }, recordingLogger());
  });
  afterAll(async () => {
    await log.close();
    await pool.end();
    await database.drop();
  });

  /** Makes the messages appended so far older. */
  async function age(topic: string, hours: number): Promise<void> {
    await pool.query(
      `UPDATE event_log.messages SET appended_at = appended_at - $2 * interval '1 hour' WHERE topic = $1`,
      [topic, hours],
    );
  }

  async function left(topic: string): Promise<Record<string, number[]>> {
    const { rows } = await pool.query<{ key: string; numbers: number[] }>(
      `SELECT key, array_agg((value::jsonb->>'number')::int ORDER BY "offset") AS numbers
       FROM event_log.messages WHERE topic = $1 GROUP BY key`,
      [topic],
    );
    return Object.fromEntries(rows.map(({ key, numbers }) => [key, numbers]));
  }

  it('starts nothing more once it is stopped, however much there is', async () => {
    const topic = countedTopic(undefined, { compacted: false, keepMs: 10 * HOUR_MS });
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, ['a'], 1, 10));
    await age(topic.name, 11);
    expect(await sweep(pool, AbortSignal.abort())).toBe(0);
    expect(await left(topic.name)).toEqual({ a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] });
    expect(await sweep(pool)).toBe(10);
  });

  it('removes events older than the retention of a topic', async () => {
    const topic = countedTopic(undefined, { compacted: false, keepMs: 10 * HOUR_MS });
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, ['a', 'b'], 1, 1_500));
    await age(topic.name, 6);
    await log.append(countedRange(topic, ['a'], 1_501, 1_502));
    await age(topic.name, 5);
    await log.append(countedRange(topic, ['a'], 1_503, 1_503));

    expect(await sweep(pool)).toBe(3_000);
    expect(await left(topic.name)).toEqual({ a: [1_501, 1_502, 1_503] });
    expect(await sweep(pool)).toBe(0);
  });

  it('keeps the newest of each key of a compacted topic, and everything for the time of full history', async () => {
    const topic = countedTopic(undefined, { compacted: true, fullHistoryMs: 10 * HOUR_MS });
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, ['a', 'b'], 1, 3));
    await age(topic.name, 11);
    await log.append(countedRange(topic, ['a'], 4, 6));

    await sweep(pool);
    // What is superseded only by something young stays: the state before the history can still be told.
    expect(await left(topic.name)).toEqual({ a: [3, 4, 5, 6], b: [3] });

    await age(topic.name, 11);
    await sweep(pool);
    expect(await left(topic.name)).toEqual({ a: [6], b: [3] });
    await log.append(countedRange(topic, ['b'], 4, 4));
    await age(topic.name, 11);
    await sweep(pool);
    expect(await left(topic.name)).toEqual({ a: [6], b: [4] });
  });

  it('keeps the newest of each key by its number, even if an older one was appended later', async () => {
    const topic = countedTopic(undefined, { compacted: true, fullHistoryMs: HOUR_MS, newestBy: 'number' });
    await log.ensureTopics([topic]);
    await log.append([...countedRange(topic, ['a'], 3, 3), ...countedRange(topic, ['a', 'b'], 2, 2)]);
    await age(topic.name, 2);
    await sweep(pool);
    expect(await left(topic.name)).toEqual({ a: [3], b: [2] });
    // Late by more than one sweeping, and a repeat.
    await log.append([...countedRange(topic, ['a'], 1, 1), ...countedRange(topic, ['b'], 2, 2)]);
    await age(topic.name, 2);
    await sweep(pool);
    expect(await left(topic.name)).toEqual({ a: [3], b: [2] });
  });

  it('goes through a long history in pieces', async () => {
    const topic = countedTopic(undefined, { compacted: true, fullHistoryMs: HOUR_MS });
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, ['a', 'b'], 1, 2_500));
    await age(topic.name, 2);
    await sweep(pool);
    expect(await left(topic.name)).toEqual({ a: [2_500], b: [2_500] });
  });

  it('is run by one process at a time', async () => {
    const topic = countedTopic(undefined, { compacted: false, keepMs: HOUR_MS });
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, ['a'], 1, 100));
    await age(topic.name, 2);
    const removed = await Promise.all([1, 2, 3, 4].map(() => sweep(pool)));
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(100);
  });
});
