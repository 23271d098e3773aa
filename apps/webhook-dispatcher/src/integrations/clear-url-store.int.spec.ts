import { randomUUID } from 'node:crypto';
import { openTestSchedule, type TestSchedule } from '../../test/schedule.ts';
import { openDatabase } from '../open-database.ts';
import { createClearUrlStore } from './clear-url-store.ts';
import { createIntegrationSecrets } from './integration-secrets.ts';

const secrets = createIntegrationSecrets({
  seal: (plain, context) => `${context}|${plain}`,
  open: (sealed, context) => sealed.slice(context.length + 1),
});
const CLEAR = 'https://receiver.example:8443/hooks/T0?token=x';
const projectId = randomUUID();

let schedule: TestSchedule;
beforeAll(async () => {
  schedule = await openTestSchedule();
});
afterAll(() => schedule[Symbol.asyncDispose]());

it('seals the URLs that an older release wrote in the clear, forgets those of deleted receivers, and leaves what is sealed', async () => {
  const database = openDatabase(schedule.databaseUrl, 2, () => undefined);
  const store = createClearUrlStore(database, secrets);
  const clear = await schedule.addIntegration(projectId, { shownUrl: CLEAR });
  const bare = await schedule.addIntegration(projectId, { shownUrl: 'https://receiver.example' });
  const deleted = await schedule.addIntegration(projectId, { shownUrl: CLEAR });
  await schedule.query('UPDATE integration SET active = false, deleted_at = now() WHERE id = $1', [deleted]);
  const sealed = await schedule.addIntegration(projectId, secrets.sealUrl('another', CLEAR));

  expect(await store.sealClear()).toBe(2);
  expect(await store.sealClear()).toBe(0);
  const rows = await schedule.query<{ id: string; url: string; sealed_url: string | null }>(
    'SELECT id::text, url, sealed_url FROM integration',
  );
  const found = (id: string) => rows.find((row) => row.id === id);
  const { shownUrl: url } = secrets.sealUrl(clear, CLEAR);
  expect(found(clear)).toEqual({ id: clear, url, sealed_url: `webhook-url:${clear}|${CLEAR}` });
  expect(found(deleted)).toEqual({ id: deleted, url, sealed_url: null });
  expect(found(bare)).toMatchObject({ url: 'https://receiver.example', sealed_url: null });
  expect(found(sealed)).toMatchObject({ url, sealed_url: `webhook-url:another|${CLEAR}` });
  await database.$disconnect();
});

it('a URL that is still in the clear is used until it is sealed', () => {
  const parts = { shownUrl: CLEAR, sealedUrl: null, sealedSecret: null, sealedHeaders: null };
  expect(secrets.open('any', parts)).toMatchObject({ url: CLEAR });
});
