import { generateSessionKeyPair } from '@blog-content/credentials';
import { loadConfig } from '@blog-content/service-runtime';
import { environment } from '../../config.ts';
import { OWNER, startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startRunningService();
});
afterAll(() => service[Symbol.asyncDispose]());

const keysOf = (...jwks: readonly string[]) =>
  JSON.stringify({ keys: jwks.flatMap((text) => (JSON.parse(text) as { keys: object[] }).keys) });

describe('OWNER_SESSION_JWKS', () => {
  it('keeps sessions of the old key while it is listed, in every replica', async () => {
    const oldKeys = JSON.stringify((await service.call('GET', 'jwks.json')).body);
    const made = await generateSessionKeyPair();
    const both = keysOf(oldKeys, made.publicJwks);
    const acceptsBoth = await service.startReplica({ OWNER_SESSION_JWKS: both });
    const signsNew = await service.startReplica({
      OWNER_SESSION_JWKS: both,
      OWNER_SESSION_PRIVATE_JWK: made.privateJwk,
    });
    const refusesOld = await service.startReplica({
      OWNER_SESSION_JWKS: made.publicJwks,
      OWNER_SESSION_PRIVATE_JWK: made.privateJwk,
    });
    const oldToken = await service.signIn();
    const signedIn = await signsNew.call('POST', 'session', { json: OWNER });
    const newToken = (signedIn.body as { token: string }).token;

    const statusesOf = (token: string) =>
      Promise.all(
        [acceptsBoth, signsNew, refusesOld].map(async ({ call }) => (await call('GET', 'session', { token })).status),
      );
    expect(await statusesOf(oldToken)).toEqual([200, 200, 401]);
    expect(await statusesOf(newToken)).toEqual([200, 200, 200]);
    expect((await acceptsBoth.call('GET', 'jwks.json')).body).toEqual(JSON.parse(both));
    expect((await refusesOld.call('GET', 'jwks.json')).body).toEqual(JSON.parse(made.publicJwks));
  });

  it('must contain the key that signs', async () => {
    const other = await generateSessionKeyPair();
    const load = (jwks: string) => loadConfig(environment, { ...service.variables, OWNER_SESSION_JWKS: jwks }, 'x');
    expect(() => load(other.publicJwks)).toThrow(
      'OWNER_SESSION_JWKS is invalid (value hidden): must contain the public key of OWNER_SESSION_PRIVATE_JWK',
    );
  });
});
