import {
  createSessionSigner,
  createSessionVerifier,
  generateSessionKeyPair,
  InvalidSession,
  type VerifySession,
} from '@blog-content/credentials';
import { serveApp } from '../../test/serve-app.ts';
import { accountOf, requireOwnerSession, type Account } from './access.ts';

const serve = (verify: VerifySession, revoked: readonly string[] = []) =>
  serveApp((app) => {
    const isRevoked = ({ sessionId }: Account) => Promise.resolve(revoked.includes(sessionId));
    app.get('/me', requireOwnerSession(verify, isRevoked), (_request, response) => {
      response.json(accountOf(response));
    });
    app.get('/unguarded', (_request, response) => void response.json(accountOf(response)));
  });

describe('requireOwnerSession', () => {
  it('puts the account of a real session into res.locals and into the log line', async () => {
    const sessionId = '3b241101-e2bb-4255-8caf-4136c566a962';
    const { privateJwk, publicJwks } = await generateSessionKeyPair();
    const { token } = await createSessionSigner(privateJwk).issue(
      { accountId: 'a1', email: 'a@example.com', sessionId },
      60,
    );
    await using app = await serve(createSessionVerifier(publicJwks));
    const answer = await app.http('me', { headers: { authorization: `bearer ${token}` } });
    expect(JSON.parse(answer.body)).toEqual({
      id: 'a1',
      email: 'a@example.com',
      sessionId,
      sessionExpiresAt: expect.stringMatching(/Z$/),
    });
    expect(await app.requestLines(1)).toMatchObject([{ account_id: 'a1', status: 200 }]);
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'Bearer a,b'])(
    'answers 401 to Authorization %j without asking the verifier',
    async (authorization) => {
      await using app = await serve(() => Promise.reject(new Error('asked')));
      const answer = await app.http('me', { headers: { authorization } });
      expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(JSON.parse(answer.body)).toMatchObject({ title: 'Unauthorized', status: 401 });
    },
  );

  it('answers 401 to a session that is not valid, and logs why', async () => {
    await using app = await serve(() => Promise.reject(new InvalidSession('expired')));
    const answer = await app.http('me', { headers: { authorization: 'Bearer abc' } });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(await app.requestLines(1)).toMatchObject([{ session_refused: 'expired', error_code: 'unauthorized' }]);
  });

  it('answers 401 to a session that has been revoked like to one that has expired', async () => {
    const claims = { accountId: 'a1', email: 'a@example.com', sessionId: 's1', expiresAt: new Date() };
    await using app = await serve(() => Promise.resolve(claims), ['s1']);
    const answer = await app.http('me', { headers: { authorization: 'Bearer abc' } });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(await app.requestLines(1)).toMatchObject([{ session_refused: 'revoked', error_code: 'unauthorized' }]);
  });

  it('takes every other failure of the verifier for a bug', async () => {
    await using app = await serve(() => Promise.reject(new TypeError('oops')));
    expect((await app.http('me', { headers: { authorization: 'Bearer abc' } })).statusCode).toBe(500);
    expect((await app.http('unguarded')).statusCode).toBe(500);
  });
});
