import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@blog-content/testing';
import { openDatabase } from '../platform/database/open-database.ts';
import { sweepEmails } from './sweep-store.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

describe('sweeping', () => {
  it('deletes emails that nobody has sent in time, and alarms whose events are gone', async () => {
    const testDatabase = await createTestDatabase('content-service');
    await using resources = new AsyncDisposableStack();
    resources.defer(() => testDatabase.drop());
    const database = openDatabase(testDatabase.url, 2, () => undefined);
    resources.defer(() => database.$disconnect());
    for (const hours of [24, 23]) {
      const recipient = `${hours}@example.com`;
      await database.email.create({ data: { kind: 'password_reset', recipient, about: {}, expiresAt: ago(hours) } });
    }
    for (const hours of [8 * 24, 8 * 24 - 1]) {
      const data = { integrationId: randomUUID(), failingSince: ago(hours), toldAt: ago(hours) };
      await database.receiverAlarm.create({ data });
    }

    expect(await sweepEmails(database, now)).toBe(2);
    expect((await database.email.findMany()).map(({ recipient }) => recipient)).toEqual(['23@example.com']);
    expect((await database.receiverAlarm.findMany()).map(({ toldAt }) => toldAt)).toEqual([ago(8 * 24 - 1)]);
    expect(await sweepEmails(database, now)).toBe(0);
  });
});
