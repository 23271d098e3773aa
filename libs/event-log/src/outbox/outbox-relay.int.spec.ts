import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import { startChild } from '../../test/child.ts';
import { counted, countedRange, countedTopic, inOrder, numbersByProject, projects } from '../../test/counted-topic.ts';
import type { CountedEvent } from '../../test/counted-topic.ts';
import { createOutbox, type Outbox } from '../../test/outbox.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import type { RelayChildOptions } from '../../test/relay.child.ts';
import { describeEachLog } from '../../test/tested-logs.ts';
import {
  onTopic,
  openEventLog,
  startOutboxRelay,
  type EventLog,
  type OutboxRelay,
  type ReceivedEvent,
} from '../index.ts';

describeEachLog('outbox relay', ({ name, config }) => {
  let outbox: Outbox;
  let log: EventLog;
  let relays: OutboxRelay[] = [];
  const topic = countedTopic();
  let events: ReceivedEvent<CountedEvent>[] = [];

  beforeAll(async () => {
    log = await openEventLog(config(), recordingLogger());
    const handler = onTopic(topic, (batch) => Promise.resolve(void events.push(...batch)));
    await log.subscribe({ group: randomUUID(), logger: recordingLogger(), handlers: [handler] });
  });
  afterAll(() => log.close());
  beforeEach(async () => {
    outbox = await createOutbox();
    events = [];
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    relays = [];
    await outbox.drop();
  });

  function startRelay(eventLog: Pick<EventLog, 'append'> = log, pollIntervalMs = 1_000): OutboxRelay {
    const relay = startOutboxRelay({
      databaseUrl: outbox.url,
      eventLog,
      logger: recordingLogger(),
      pollIntervalMs,
    });
    relays.push(relay);
    return relay;
  }

  const cutConnections = () =>
    outbox.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );

  it('publishes and marks committed rows, from before and after its start', async () => {
    const before = counted(topic, 'p', 1);
    await outbox.insert([before]);
    startRelay();
    await eventually(() => expect(events).toHaveLength(1));
    await outbox.insert([counted(topic, 'p', 2)]);
    await eventually(() => expect(numbersByProject(events)).toEqual({ p: [1, 2] }));
    expect(events[0]).toMatchObject(before);
    await eventually(async () => expect(await outbox.unpublished()).toBe(0));
  });

  it('publishes soon after the commit, despite a long poll interval', async () => {
    startRelay(log, 600_000);
    await outbox.insert([counted(topic, 'p', 1)]);
    await eventually(() => expect(events).toHaveLength(1));
    await outbox.insert([counted(topic, 'p', 2)]);
    await eventually(() => expect(events).toHaveLength(2));
  });

  it('publishes every row of transactions that commit in another order than they began', async () => {
    startRelay();
    const first = await outbox.begin([counted(topic, 'a', 1), counted(topic, 'a', 2)]);
    const second = await outbox.begin([counted(topic, 'b', 1)]);
    const third = await outbox.begin([counted(topic, 'c', 1)]);
    await third.commit();
    await eventually(() => expect(numbersByProject(events)).toEqual({ c: [1] }));
    await first.commit();
    await eventually(() => expect(numbersByProject(events)).toEqual({ c: [1], a: [1, 2] }));
    await second.commit();
    await eventually(() => expect(numbersByProject(events)).toEqual({ c: [1], a: [1, 2], b: [1] }));
    expect(events).toHaveLength(4);
  });

  it('never publishes a row that is rolled back', async () => {
    startRelay();
    const undone = await outbox.begin([counted(topic, 'undone', 1)]);
    await outbox.insert([counted(topic, 'p', 1)]);
    await undone.rollback();
    await outbox.insert([counted(topic, 'p', 2)]);
    await eventually(() => expect(numbersByProject(events)).toEqual({ p: [1, 2] }));
    expect(events).toHaveLength(2);
  });

  it('keeps the order and publishes nothing twice while two relays run and the active one stops', async () => {
    const active = startRelay(log, 50);
    startRelay(log, 50);
    const of = projects(10);
    for (let number = 1; number <= 40; number++) {
      await outbox.insert(countedRange(topic, of, number, number));
      if (number === 20) void active.stop();
    }
    await eventually(() => expect(numbersByProject(events)).toEqual(inOrder(of, 1, 40)));
    expect(events).toHaveLength(400);
  });

  it('loses nothing when it is killed between append and mark', async () => {
    const of = projects(5);
    await outbox.insert(countedRange(topic, of, 1, 4));
    const options: RelayChildOptions = { config: config(), databaseUrl: outbox.url };
    const child = startChild('relay.child.ts', options);
    await eventually(() => expect(child.lines).toContain('appended'));
    await child.kill();
    await outbox.insert(countedRange(topic, of, 5, 5));
    startRelay(log, 50);

    await eventually(() => expect(numbersByProject(events)).toEqual(inOrder(of, 1, 5)));
    // The first batch came twice, under the same ids.
    await eventually(() => expect(events).toHaveLength(45));
    await eventually(async () => expect(await outbox.unpublished()).toBe(0));
  });

  // Which log it is makes no difference, and it takes its time: once will do.
  const itOnce = name === 'PostgreSQL' ? it : () => undefined;
  itOnce(
    'is taken over after 10 s when its process is frozen, and appends nothing more when that resumes',
    async () => {
      const options: RelayChildOptions = { config: config(), databaseUrl: outbox.url, pauses: true };
      const child = startChild('relay.child.ts', options);
      try {
        await outbox.insert([counted(topic, 'p', 1)]);
        // It has read the event, and is about to append it.
        await eventually(() => expect(child.lines).toContain('appending'));
        child.signal('SIGSTOP');
        startRelay();
        await outbox.insert([counted(topic, 'p', 2)]);
        await eventually(() => expect(numbersByProject(events)).toEqual({ p: [1, 2] }));
        child.signal('SIGCONT');
        await eventually(() => expect(child.lines).toContain('refused'));
        expect(child.lines).not.toContain('appended');
        expect(events).toHaveLength(2);
      } finally {
        await child.kill();
      }
    },
    120_000,
  );

  it('appends nothing more when its connection has ended, however often it was refused before', async () => {
    let attempts = 0;
    const active = startRelay({
      append(envelopes, { assertAllowed } = {}) {
        attempts += 1;
        if (attempts === 1) return cutConnections().then(() => Promise.reject(new Error('The log is away.')));
        assertAllowed?.();
        return log.append(envelopes);
      },
    });
    await outbox.insert([counted(topic, 'p', 1)]);
    await eventually(() => expect(events).toHaveLength(1));
    // The second try was another session's, after it had read the outbox again.
    expect(attempts).toBe(2);
    await active.stop();
  });

  it('retries the same events in the same order until the log accepts them', async () => {
    const attempts: string[][] = [];
    startRelay({
      append(envelopes) {
        attempts.push(envelopes.map(({ id }) => id));
        return attempts.length < 4 ? Promise.reject(new Error('The log is away.')) : log.append(envelopes);
      },
    });
    const sent = countedRange(topic, projects(3), 1, 2);
    await outbox.insert(sent);
    await eventually(() => expect(events).toHaveLength(6));
    expect(attempts).toEqual(Array.from({ length: 4 }, () => sent.map(({ id }) => id)));
  });

  it('appends an event once while the database refuses to mark it, as on a full disk', async () => {
    await outbox.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER refused BEFORE UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const logger = recordingLogger();
    const appended: string[] = [];
    const append: EventLog['append'] = async (envelopes, options) => {
      appended.push(...envelopes.map(({ id }) => id));
      await log.append(envelopes, options);
    };
    relays.push(startOutboxRelay({ databaseUrl: outbox.url, eventLog: { append }, logger, pollIntervalMs: 50 }));
    const first = counted(topic, 'p', 1);
    await outbox.insert([first]);
    const lost = () => logger.entries.filter(({ event }) => event === 'relay.lost').length;
    await eventually(() => expect(lost()).toBeGreaterThan(2));
    const second = counted(topic, 'p', 2);
    await outbox.insert([second]);
    await eventually(() => expect(events).toHaveLength(2));
    await outbox.query('DROP TRIGGER refused ON outbox');
    await eventually(async () => expect(await outbox.unpublished()).toBe(0));
    expect(appended).toEqual([first.id, second.id]);
  });

  it('marks the running batch before it stops', async () => {
    let appending = false;
    const relay = startRelay({
      async append(envelopes) {
        appending = true;
        await sleep(300);
        await log.append(envelopes);
      },
    });
    await outbox.insert([counted(topic, 'p', 1)]);
    await eventually(() => expect(appending).toBe(true));
    await relay.stop();
    expect(await outbox.unpublished()).toBe(0);
    await eventually(() => expect(events).toHaveLength(1));
  });

  it('recovers when its connections are cut', async () => {
    startRelay();
    const of = projects(10);
    for (let number = 1; number <= 20; number++) {
      await outbox.insert(countedRange(topic, of, number, number));
      if (number % 5 === 0) {
        await cutConnections();
      }
    }
    await eventually(() => expect(numbersByProject(events)).toEqual(inOrder(of, 1, 20)));
  });

  it('deletes rows a day after their publication', async () => {
    await outbox.insert(countedRange(topic, ['p'], 1, 3));
    await outbox.query(`UPDATE outbox SET published_at = now() - interval '25 hours' WHERE data->>'number' = '1'`);
    await outbox.query(`UPDATE outbox SET published_at = now() - interval '23 hours' WHERE data->>'number' = '2'`);
    startRelay();
    const left = () => outbox.query(`SELECT data->>'number' AS number FROM outbox ORDER BY position`);
    await eventually(async () => expect(await left()).toEqual([{ number: '2' }, { number: '3' }]));
    await eventually(() => expect(numbersByProject(events)).toEqual({ p: [3] }));
  });

  it('publishes the events of a bundle in its order, between the rows around it, and marks it as one', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const [first, ...others] = countedRange(topic, ['p'], 1, 7);
    if (first === undefined) throw new Error('There is no first event.');
    const bundle = others.slice(0, 5).map((envelope) => ({ ...envelope, traceparent }));
    await outbox.insert([first]);
    await outbox.insertBundle(bundle);
    await outbox.insert(others.slice(5));
    startRelay();
    await eventually(() => expect(numbersByProject(events)).toEqual({ p: [1, 2, 3, 4, 5, 6, 7] }));
    expect(events.slice(1, 6)).toMatchObject(bundle);
    await eventually(async () => expect(await outbox.unpublished()).toBe(0));
    expect(await outbox.query('SELECT 1 FROM outbox')).toHaveLength(3);
  });

  it('publishes more than a batch, large rows too', async () => {
    const padding = Array.from({ length: 60_000 }, () => randomUUID().slice(0, 8)).join('');
    const large = countedRange(topic, ['large'], 1, 20).map((envelope) => ({
      ...envelope,
      data: { ...envelope.data, padding },
    }));
    await outbox.insert([...large, ...countedRange(topic, projects(10), 1, 50)]);
    startRelay();
    const all = { ...inOrder(['large'], 1, 20), ...inOrder(projects(10), 1, 50) };
    await eventually(() => expect(numbersByProject(events)).toEqual(all));
    expect(events).toHaveLength(520);
  });
});
