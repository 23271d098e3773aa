import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startKafka, type RunningKafka } from '@blog-content/local-infrastructure';
import { createEmptyDatabase, eventually } from '@blog-content/testing';
import { Client } from 'pg';
import { countedRange, countedTopic, type CountedEvent } from '../test/counted-topic.ts';
import { loseNothingDuring } from '../test/lose-nothing.ts';
import { recordingLogger } from '../test/recording-logger.ts';
import { describeWithKafka } from '../test/tested-logs.ts';
import { onTopic, openEventLog, type ReceivedEvent } from './index.ts';

describe('outage (PostgreSQL)', () => {
  it('loses nothing when every connection of the log is cut, again and again', async () => {
    const database = await createEmptyDatabase();
    const url = new URL(database.url);
    url.pathname = '/postgres';
    const server = new Client({ connectionString: url.href });
    await server.connect();
    await loseNothingDuring({ kind: 'postgres', databaseUrl: database.url }, async () => {
      for (let cuts = 0; cuts < 5; cuts++) {
        await sleep(300);
        await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
          new URL(database.url).pathname.slice(1),
        ]);
      }
    });
    await server.end();
    await database.drop();
  });
});

describeWithKafka('outage (Kafka)', () => {
  let kafka: RunningKafka;
  let stop = () => Promise.resolve();
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'event-log-outage-'));
    kafka = await startKafka({ dataDir, brokers: [], disposable: true });
    stop = () => kafka.stop();
  }, 180_000);
  afterAll(async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('loses nothing when the broker is killed and comes back', async () => {
    await loseNothingDuring({ kind: 'kafka', brokers: kafka.brokers, clientId: 'outage-test' }, async () => {
      await sleep(500);
      await kafka.kill();
      await sleep(1_000);
      await kafka.restart();
    });
  }, 300_000);

  it('starts a consumer while the broker is away, which gets everything once it is there', async () => {
    const topic = countedTopic();
    await kafka.kill();
    const log = await openEventLog(
      { kind: 'kafka', brokers: kafka.brokers, clientId: 'outage-test' },
      recordingLogger(),
    );
    const events: ReceivedEvent<CountedEvent>[] = [];
    await log.subscribe({
      group: randomUUID(),
      logger: recordingLogger(),
      handlers: [onTopic(topic, (batch) => Promise.resolve(void events.push(...batch)))],
    });
    await expect(log.append(countedRange(topic, ['p'], 1, 1))).rejects.toThrow();
    await kafka.restart();
    await eventually(() => log.ensureTopics([topic]));
    await log.append(countedRange(topic, ['p'], 2, 2));
    await eventually(() => expect(events.map(({ data }) => data.number)).toContain(2));
    await log.close();
  }, 180_000);
});
