import { createTestDatabase } from '@blog-content/testing';
import { openDatabase } from '../platform/database/open-database.ts';
import { createEmailStore } from './email-store.ts';

it('an email that somebody waits for is sent before notices that were due earlier', async () => {
  const testDatabase = await createTestDatabase('content-service');
  await using resources = new AsyncDisposableStack();
  resources.defer(() => testDatabase.drop());
  const database = openDatabase(testDatabase.url, 2, () => undefined);
  resources.defer(() => database.$disconnect());
  const expiresAt = new Date(Date.now() + 3_600_000);
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const email = (kind: string, minutes: number) =>
    ({ kind, recipient: `${kind}@example.com`, about: {}, expiresAt, dueAt: minutesAgo(minutes) }) as const;
  await database.email.createMany({
    data: [
      email('receiver_failing', 60),
      email('autopilot_stopped', 50),
      email('password_reset', 20),
      email('member_invitation', 10),
      email('account_invitation', 5),
    ],
  });
  const emails = createEmailStore(database, () => new Date());
  const kinds: (string | undefined)[] = [];
  for (let count = 0; count < 6; count += 1) kinds.push((await emails.claim(60_000))?.kind);
  expect(kinds).toEqual([
    ...['password_reset', 'member_invitation', 'account_invitation'],
    ...['receiver_failing', 'autopilot_stopped', undefined],
  ]);
});
