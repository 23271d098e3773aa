import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { startTestService, type TestService } from '../test/test-service.ts';

const HOUR_MS = 3_600_000;
const resources = new AsyncDisposableStack();
let service: TestService;
let database: Client;
beforeAll(async () => {
  service = resources.use(await startTestService());
  database = resources.adopt(new Client({ connectionString: service.databaseUrl }), (client) => client.end());
  await database.connect();
});
afterAll(() => resources.disposeAsync());

const revoked = (session_id: string, inMs = HOUR_MS) => ({
  event: 'session.revoked' as const,
  session_id,
  expires_at: new Date(Date.now() + inMs).toISOString(),
});
const remembered = async () => Number((await database.query('SELECT count(*) FROM revoked_session')).rows[0].count);

describe('sessions that were signed out, reset or deleted', () => {
  it('are refused with 401 like one that has expired, and no other session of the account is', async () => {
    const [account, session] = [randomUUID(), randomUUID()];
    const { id } = await service.createProject({ members: [account] });
    const path = `/blog/api/v1/owner/projects/${id}/public-key`;
    const ask = async (sessionId?: string) =>
      service.request('GET', path, await service.ownerHeaders(account, sessionId));
    expect((await ask(session)).statusCode).toBe(200);
    await service.revokedSessions.add([revoked(session)]);
    for (const asked of [path, `${path}/usage`]) {
      const answer = await service.request('GET', asked, await service.ownerHeaders(account, session));
      expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
    }
    expect((await ask()).statusCode).toBe(200);
  });

  it('may come more than once, and are deleted after their tokens have expired', async () => {
    await database.query('DELETE FROM revoked_session');
    const session = randomUUID();
    await service.revokedSessions.add([revoked(session), revoked(session)]);
    await service.revokedSessions.add([revoked(session), revoked(randomUUID(), -2 * HOUR_MS)]);
    expect([await remembered(), await service.revokedSessions.has(session)]).toEqual([1, true]);
  });
});
