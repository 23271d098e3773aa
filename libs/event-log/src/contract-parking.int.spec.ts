import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmptyDatabase, eventually } from '@blog-content/testing';
import pg from 'pg';
import { startChild } from '../test/child.ts';
import {
  countedRange,
  countedTopic,
  inOrder,
  numbersByProject,
  projects,
  type CountedEvent,
} from '../test/counted-topic.ts';
import type { ParkingChildOptions } from '../test/parking.child.ts';
import { recordingLogger } from '../test/recording-logger.ts';
import { describeEachLog } from '../test/tested-logs.ts';
import {
  AppendFailed,
  createParkedEventStore,
  createParking,
  onTopic,
  openEventLog,
  PARKED_EVENTS_TABLE_SQL,
  type EventLog,
  type ReceivedEvent,
} from './index.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createEmptyDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  await pool.query(PARKED_EVENTS_TABLE_SQL);
  await pool.query(`
    CREATE TABLE handled (position bigserial PRIMARY KEY, project text NOT NULL, number int NOT NULL);
    CREATE TABLE refused (project text NOT NULL, number int NOT NULL);
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM refused WHERE project = NEW.project AND number = NEW.number) THEN
        RAISE EXCEPTION 'refused: % %', NEW.project, NEW.number;
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON handled FOR EACH ROW EXECUTE FUNCTION refuse();`);
});
beforeEach(async () => {
  await pool.query('TRUNCATE handled, refused, parked_event');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describeEachLog('an event that can’t be handled', ({ config }) => {
  let log: EventLog;
  const cleanUp = new AsyncDisposableStack();
  const running: { stop(): Promise<void> }[] = [];
  beforeAll(async () => {
    log = await openEventLog(config(), recordingLogger());
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.stop()));
  });
  afterAll(async () => {
    await cleanUp.disposeAsync();
    await log.close();
  });

  /** A consumer whose handler fails for the events that `error` gives one for. */
  async function consume(
    topic: ReturnType<typeof countedTopic>,
    group: string,
    error: (event: ReceivedEvent<CountedEvent>) => Error | null,
  ) {
    const handled: ReceivedEvent<CountedEvent>[] = [];
    const logger = recordingLogger();
    const parked: string[] = [];
    const handlers = [
      onTopic(topic, (events) => {
        for (const event of events) {
          const failure = error(event);
          if (failure !== null) return Promise.reject(failure);
        }
        handled.push(...events);
        return Promise.resolve();
      }),
    ];
    const metrics = { parked: (name: string) => void parked.push(name) };
    const parking = createParking({ databaseUrl: database.url, group, handlers, logger, metrics });
    const subscription = await log.subscribe({ group, handlers, logger, parking });
    const stop = async () => {
      await subscription.stop();
      await parking.stop();
    };
    running.push({ stop });
    return { handled, logger, parking, parked, stop };
  }

  const makeDue = async (key: string) => {
    const store = createParkedEventStore(database.url);
    await store.makeDue(key);
    await store.close();
  };
  const parkedNow = async () => {
    const { rows } = await pool.query<{ key: string; waiting: number }>(
      'SELECT key, count(*)::int AS waiting FROM parked_event GROUP BY key ORDER BY key',
    );
    return Object.fromEntries(rows.map(({ key, waiting }) => [key, waiting]));
  };

  it('is parked with the later ones of its key, and all come in order once it can be handled', async () => {
    const topic = countedTopic();
    let isMended = false;
    const isBad = ({ data }: ReceivedEvent<CountedEvent>) => data.project === 'bad' && data.number === 5 && !isMended;
    const consumer = await consume(topic, randomUUID(), (event) => (isBad(event) ? new Error('a bug') : null));
    const others = projects(20);
    await log.append(countedRange(topic, ['bad', ...others], 1, 10));

    await eventually(() => {
      const { bad, ...rest } = numbersByProject(consumer.handled);
      expect(bad).toEqual([1, 2, 3, 4]);
      expect(rest).toEqual(inOrder(others, 1, 10));
    });
    await log.append(countedRange(topic, ['bad', ...others], 11, 12));
    await eventually(async () => expect(await parkedNow()).toEqual({ bad: 8 }));
    await eventually(() => expect(numbersByProject(consumer.handled)).toMatchObject(inOrder(others, 1, 12)));
    expect(consumer.parking.countKeys()).toEqual(new Map([[topic.name, 1]]));
    expect(consumer.parked).toEqual([topic.name]);
    const entries = consumer.logger.entries.filter(({ event }) => event === 'event.parked');
    expect(entries).toMatchObject([{ level: 'error', fields: { topic: topic.name, key: 'bad', failures: 5 } }]);

    isMended = true;
    await makeDue('bad');
    await eventually(() => expect(numbersByProject(consumer.handled)).toEqual(inOrder(['bad', ...others], 1, 12)));
    await eventually(() => expect(consumer.parking.countKeys()).toEqual(new Map([[topic.name, 0]])));
    expect(await parkedNow()).toEqual({});
    await log.append(countedRange(topic, ['bad'], 13, 13));
    await eventually(() => expect(numbersByProject(consumer.handled)['bad']).toHaveLength(13));
  });

  it('is not parked in an outage, however long it lasts, nor when the log can’t be appended to', async () => {
    const topic = countedTopic();
    const errors: (Error | null)[] = [
      ...Array.from({ length: 4 }, () => Object.assign(new Error('no space left'), { code: '53100' })),
      new AppendFailed(new Error('away')),
      new Error('query', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }),
    ];
    const consumer = await consume(topic, randomUUID(), () => errors.shift() ?? null);
    await log.append(countedRange(topic, ['one'], 1, 1));
    await eventually(() => expect(consumer.handled).toHaveLength(1));
    expect([errors, consumer.parked]).toEqual([[], []]);
  });

  it('that fails briefly is handled in order, and not parked', async () => {
    const topic = countedTopic();
    let failures = 4;
    const consumer = await consume(topic, randomUUID(), ({ data }) =>
      data.number === 3 && failures-- > 0 ? new Error('a moment') : null,
    );
    await log.append(countedRange(topic, ['one'], 1, 5));
    await eventually(() => expect(numbersByProject(consumer.handled)).toEqual(inOrder(['one'], 1, 5)));
    expect(consumer.parked).toEqual([]);
  });

  it('stays parked for the process that takes over', async () => {
    const topic = countedTopic();
    const group = randomUUID();
    const isBad = ({ data }: ReceivedEvent<CountedEvent>) => data.project === 'bad' && data.number === 1;
    const first = await consume(topic, group, (event) => (isBad(event) ? new Error('a bug') : null));
    await log.append(countedRange(topic, ['bad', 'good'], 1, 1));
    await eventually(async () => expect(await parkedNow()).toEqual({ bad: 1 }));
    await first.stop();

    const second = await consume(topic, group, (event) => (isBad(event) ? new Error('a bug') : null));
    await log.append(countedRange(topic, ['bad', 'good'], 2, 3));
    await eventually(async () => expect(await parkedNow()).toEqual({ bad: 3 }));
    await eventually(() => expect(numbersByProject(second.handled)).toMatchObject({ good: [2, 3] }));
    expect(numbersByProject(second.handled)).not.toHaveProperty('bad');
  });

  it('blocks its partition when a hundred keys are parked, because then the fault is not in the events', async () => {
    const topic = countedTopic();
    const group = randomUUID();
    await pool.query(
      `INSERT INTO parked_event (topic, key, event_id, partition, "offset", event, error, retry_at)
       SELECT $1, 'key ' || n, gen_random_uuid(), 0, '0', '{}', 'a bug', now() + interval '1 hour'
       FROM generate_series(1, 100) AS n`,
      [topic.name],
    );
    const consumer = await consume(topic, group, () => new Error('a bug'));
    await log.append(countedRange(topic, ['one'], 1, 1));
    await eventually(() => {
      const failed = consumer.logger.entries.filter(({ event }) => event === 'event.failed');
      expect(failed.length).toBeGreaterThan(5);
    });
    expect(Object.keys(await parkedNow())).toHaveLength(100);
  });

  it('survives kill -9 in the order of its key while processes come and go', async () => {
    const topic = countedTopic();
    const options: ParkingChildOptions = {
      config: config(),
      databaseUrl: database.url,
      topic: topic.name,
      group: randomUUID(),
    };
    const of = projects(12);
    await log.ensureTopics([topic]);
    await pool.query(`INSERT INTO refused VALUES ('project-0', 2), ('project-1', 7), ('project-2', 12)`);
    const children = [startChild('parking.child.ts', options), startChild('parking.child.ts', options)];
    for (let round = 0; round < 3; round++) {
      await log.append(countedRange(topic, of, round * 4 + 1, round * 4 + 4));
      await sleep(randomInt(200, 2_500));
      await children.shift()?.kill();
      children.push(startChild('parking.child.ts', options));
    }
    // Every project but the three goes on to its end.
    const handled = async () => {
      const { rows } = await pool.query<{ project: string; number: number }>(
        'SELECT project, number FROM handled ORDER BY position',
      );
      return Object.fromEntries(
        [...Map.groupBy(rows, ({ project }) => project)].map(([project, all]) => [
          project,
          [...new Set(all.map(({ number }) => number))],
        ]),
      );
    };
    await eventually(async () => expect(await handled()).toMatchObject(inOrder(of.slice(3), 1, 12)));
    await eventually(async () => expect(Object.keys(await parkedNow())).toEqual(of.slice(0, 3)));
    await pool.query('TRUNCATE refused');
    await pool.query('UPDATE parked_event SET retry_at = now()');
    await eventually(async () => expect(await handled()).toEqual(inOrder(of, 1, 12)));
    // Each is deleted after it was handled.
    await eventually(async () => expect(await parkedNow()).toEqual({}));
    await Promise.all(children.map((child) => child.kill()));
  });
});
