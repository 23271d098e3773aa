import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { counted, countedTopic } from '../test/counted-topic.ts';
import { createOutbox } from '../test/outbox.ts';
import { recordingLogger } from '../test/recording-logger.ts';
import { connectEventLog } from './index.ts';

it('reports waiting outbox rows while the log is away, also after the database has disconnected the relay', async () => {
  const outbox = await createOutbox();
  const connection = connectEventLog({
    open: () => Promise.reject(new Error('The log is away.')),
    outboxDatabaseUrl: outbox.url,
    group: randomUUID(),
    handlers: [],
    produces: [],
    logger: recordingLogger(),
  });
  try {
    await outbox.insert([counted(countedTopic(), 'p', 1)]);
    const seen = () => eventually(async () => expect(await connection.measureOutbox?.()).toMatchObject({ rows: 1 }));
    await seen();
    const others = "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'outbox-relay'";
    const before = await outbox.query(`SELECT pid, pg_terminate_backend(pid) ${others}`);
    expect(before).toHaveLength(1);
    await eventually(async () =>
      expect(await outbox.query(`SELECT pid, true AS pg_terminate_backend ${others}`)).not.toEqual(before),
    );
    await seen();
  } finally {
    await connection.close();
    await outbox.drop();
  }
});
