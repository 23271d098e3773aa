import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startPostgres, type RunningPostgres } from '@blog-content/local-infrastructure';
import { eventually } from '@blog-content/testing';
import { Client, type QueryResultRow } from 'pg';
import { countedRange, countedTopic } from '../../test/counted-topic.ts';
import { loseNothingDuring } from '../../test/lose-nothing.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { openEventLog, type EventLog, type EventLogConfig } from '../index.ts';

// What a transaction did not wait for reaches the disk as late as possible.
const SETTINGS = { wal_writer_delay: '10s', wal_writer_flush_after: '1GB' };

let folder: string;
let dataDir: string;
let port: number;
let server: RunningPostgres;
let config: EventLogConfig;
let log: EventLog;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-log-crash-'));
  dataDir = join(folder, 'postgres');
  port = await freePort();
  server = await start();
  config = { kind: 'postgres', databaseUrl: server.url('postgres') };
  log = await openEventLog(config, recordingLogger());
});
afterEach(async () => {
  await log.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = () => startPostgres({ dataDir, databaseUrl: '', port, settings: SETTINGS });

async function query<Row extends QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Ends the server immediately, as `pg_ctl stop -m immediate` does: what is only in its memory is lost. */
async function crash(): Promise<void> {
  const [setting] = await query<{ data_directory: string }>('SHOW data_directory');
  const pid = await readFile(join(setting?.data_directory ?? '', 'postmaster.pid'), 'utf8');
  process.kill(Number(pid.split('\n')[0]), 'SIGQUIT');
  await server.exited;
}

async function crashAndRecover(): Promise<void> {
  await crash();
  server = await start();
}

const numbersOf = async (topic: string): Promise<number[]> => {
  const rows = await query<{ number: number }>(
    `SELECT (value::jsonb->>'number')::int AS number FROM event_log.messages WHERE topic = '${topic}' ORDER BY number`,
  );
  return rows.map(({ number }) => number);
};

describe('a crash of the PostgreSQL server', () => {
  it('loses no event whose append has resolved', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    const resolved: number[] = [];
    let isOver = false;
    const appending = (async () => {
      for (let number = 1; !isOver; number++) {
        await log.append(countedRange(topic, ['p'], number, number));
        resolved.push(number);
      }
    })().catch(() => undefined);
    await eventually(() => expect(resolved.length).toBeGreaterThan(100));
    await crash();
    isOver = true;
    await appending;
    server = await start();
    const left = await numbersOf(topic.name);
    expect(left).toEqual(expect.arrayContaining(resolved));
    // Offsets have no gaps: what was lost was lost from the end.
    expect(left).toEqual(left.map((_, at) => at + 1));
  });

  it('loses nothing that goes through outbox and consumer, again and again', async () => {
    await loseNothingDuring(config, async () => {
      for (let crashes = 0; crashes < 3; crashes++) {
        await sleep(500);
        await crashAndRecover();
      }
    });
  }, 180_000);
});
