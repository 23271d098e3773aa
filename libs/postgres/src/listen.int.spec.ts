import { createEmptyDatabase, eventually, type TestDatabase } from '@blog-content/testing';
import { Client } from 'pg';
import { listen } from './listen.ts';

describe('Listening to a channel', () => {
  let database: TestDatabase;
  let client: Client;
  beforeEach(async () => {
    database = await createEmptyDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  it('calls for every notification, and again after a connection that was cut has been replaced', async () => {
    let calls = 0;
    const warnings: string[] = [];
    const listener = listen({
      databaseUrl: database.url,
      channel: 'Some channel',
      onNotification: () => (calls += 1),
      logger: { warn: (event) => warnings.push(event) },
    });
    await eventually(() => expect(calls).toBe(1));
    await client.query(`NOTIFY "Some channel"`);
    await eventually(() => expect(calls).toBe(2));
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await eventually(() => expect(calls).toBe(3));
    expect(warnings).toEqual(['database.listen_lost']);
    await client.query(`NOTIFY "Some channel"`);
    await eventually(() => expect(calls).toBe(4));
    await listener.stop();
    await client.query(`NOTIFY "Some channel"`);
    expect(
      (
        await client.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'listen'
                                AND datname = current_database()`)
      ).rows,
    ).toEqual([]);
    expect(calls).toBe(4);
  });
});
