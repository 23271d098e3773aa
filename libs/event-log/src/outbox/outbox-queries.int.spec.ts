import { openSession } from '@blog-content/postgres';
import { createOutbox } from '../../test/outbox.ts';
import { SESSION_SETTINGS } from '../postgres/session-settings.ts';
import { deletePublished } from './outbox-queries.ts';

it('old rows are deleted quickly even with a plan from an empty outbox', async () => {
  const outbox = await createOutbox();
  const onNotification = () => undefined;
  const session = await openSession({
    databaseUrl: outbox.url,
    name: 'test',
    channels: [],
    settings: SESSION_SETTINGS,
    onNotification,
  });
  const clean = () => deletePublished(session, new AbortController().signal);
  try {
    await outbox.query('ALTER TABLE outbox SET (autovacuum_enabled = off)');
    await outbox.query('VACUUM outbox');
    // From the sixth on PostgreSQL keeps the plan.
    for (let times = 0; times < 6; times++) await clean();
    await outbox.query(
      `INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, published_at)
       SELECT gen_random_uuid(), 't', 't', 's', 'k', 'k', '{}', now(), now() - n / 20000 * interval '25 hours'
       FROM generate_series(1, 20000) n`,
    );
    // The session gives a statement up after 5 s; one that looks for each row again takes a minute.
    await clean();
    expect(await outbox.query('SELECT FROM outbox')).toHaveLength(19_999);
  } finally {
    await session.close();
    await outbox.drop();
  }
});
