import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@blog-content/testing';
import { openDatabase, type Database } from '../platform/database/open-database.ts';
import { sweepAccounts } from './sweep-store.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  database = openDatabase(testDatabase.url, 2, () => undefined);
});
afterAll(async () => {
  await database.$disconnect();
  await testDatabase.drop();
});

const now = new Date('2026-03-01T12:00:00.000Z');
const later = new Date('2026-03-01T12:00:00.001Z');

describe('sweeping', () => {
  it('deletes what has ended and leaves what has not', async () => {
    const accountId = randomUUID();
    await database.account.create({ data: { id: accountId, email: 'a@example.com', passwordHash: 'x' } });
    const projectId = randomUUID();
    await database.project.create({ data: { id: projectId, name: 'Site', eventNumber: 1 } });
    const session = (expiresAt: Date, revokedAt: Date | null, hash: string) =>
      database.accountSession.create({
        data: {
          id: randomUUID(),
          accountId,
          createdAt: now,
          expiresAt,
          revokedAt,
          refreshTokens: { create: { hash, createdAt: now } },
        },
      });
    await session(later, null, 'live');
    await session(now, null, 'expired');
    await session(later, now, 'revoked');
    for (const [name, expiresAt] of [
      ['live', later],
      ['expired', now],
    ] as const) {
      const email = `${name}@example.com`;
      await database.invitation.create({
        data: { id: randomUUID(), email, createdAt: now, expiresAt, tokens: { create: { tokenHash: name } } },
      });
      await database.memberInvitation.create({
        data: { id: randomUUID(), projectId, email, role: 'editor', invitedBy: accountId, createdAt: now, expiresAt },
      });
      await database.passwordReset.create({ data: { tokenHash: name, accountId, createdAt: now, expiresAt } });
      await database.rateLimiterFlexible.create({ data: { key: name, points: 1, expire: expiresAt } });
    }

    expect(await sweepAccounts(database, now)).toBe(6);
    expect((await database.refreshToken.findMany()).map(({ hash }) => hash)).toEqual(['live']);
    expect((await database.invitation.findMany()).map(({ email }) => email)).toEqual(['live@example.com']);
    expect((await database.memberInvitation.findMany()).map(({ email }) => email)).toEqual(['live@example.com']);
    expect((await database.passwordReset.findMany()).map(({ tokenHash }) => tokenHash)).toEqual(['live']);
    expect((await database.rateLimiterFlexible.findMany()).map(({ key }) => key)).toEqual(['live']);
    expect(await sweepAccounts(database, now)).toBe(0);
  });

  it('takes 1,000 of a kind at a time', async () => {
    await database.$executeRaw`
      INSERT INTO rate_limit (key, points, expire) SELECT 'k' || n, 1, ${now} FROM generate_series(1, 1500) n`;
    expect([await sweepAccounts(database, now), await sweepAccounts(database, now)]).toEqual([1_000, 500]);
  });
});
