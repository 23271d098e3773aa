import { randomUUID } from 'node:crypto';
import { newPerson, signInAs, type Person } from '../../../test/people.ts';
import { OWNER, startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let administrator: string;
let person: Person;
beforeAll(async () => {
  service = await startRunningService();
  administrator = await service.signIn();
});
afterAll(() => service[Symbol.asyncDispose]());

const makePerson = async () => {
  person = await newPerson(service, administrator);
};
const NEW = 'another password';
const statusOf = async (token: string) => (await service.call('GET', 'session', { token })).status;
const refreshStatus = async (refresh_token: string) =>
  (await service.call('POST', 'session/refresh', { json: { refresh_token } })).status;
const canSignIn = async (password: string) => (await signInAs(service, { ...person, password })).status === 201;
const change = (current_password: string, new_password = NEW) =>
  service.call('POST', 'account/password', { token: person.token, json: { current_password, new_password } });
const newReset = async (of = person.id) =>
  service.call('POST', `accounts/${of}/password-resets`, { token: administrator, json: {} });
const reset = (token: string, new_password = NEW) =>
  service.call('POST', 'password-reset', { json: { token, new_password } });

describe('changing the password', () => {
  beforeEach(makePerson);

  it('needs the current one, and ends all other sessions', async () => {
    const elsewhere = (await signInAs(service, person)).body;
    expect((await change(person.password)).status).toBe(204);
    expect([await canSignIn(person.password), await canSignIn(NEW)]).toEqual([false, true]);
    expect([await statusOf(person.token), await refreshStatus(person.refreshToken)]).toEqual([200, 200]);
    expect([await statusOf(elsewhere.token), await refreshStatus(elsewhere.refresh_token)]).toEqual([401, 401]);
  });

  it('with a wrong one is 422 and changes nothing', async () => {
    const answer = await change('wrong');
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([{ field: 'current_password', message: 'is not your current password' }]);
    expect(await canSignIn(person.password)).toBe(true);
  });

  it('is throttled together with signing in', async () => {
    for (let time = 0; time < 3; time += 1) {
      await change('wrong');
      await canSignIn('wrong');
    }
    const answer = await change(person.password);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('invalidates reset tokens', async () => {
    const { token } = (await newReset()).body;
    await change(person.password);
    expect((await reset(token, 'a third password')).status).toBe(422);
  });

  it('twice at the same time happens once', async () => {
    const answers = await Promise.all([change(person.password, `${NEW} 1`), change(person.password, `${NEW} 2`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422]);
  });

  it.each([
    ['a'.repeat(11), 422],
    ['a'.repeat(12), 204],
    ['é'.repeat(1_000), 204],
    ['a'.repeat(1_001), 422],
  ])('accepts 12 to 1,000 characters: %#', async (password, status) => {
    expect((await change(person.password, password)).status).toBe(status);
    expect(await canSignIn(password)).toBe(status === 204);
  });
});

describe('a reset of the password', () => {
  beforeEach(makePerson);

  it('is made by the administrator, used once, and ends all sessions', async () => {
    const made = await newReset();
    expect(made.status).toBe(201);
    expect(made.headers['cache-control']).toBe('no-store');
    expect(made.body.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const hours = (Date.parse(made.body.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    expect((await reset(made.body.token)).status).toBe(204);
    expect([await canSignIn(person.password), await canSignIn(NEW)]).toEqual([false, true]);
    expect([await statusOf(person.token), await refreshStatus(person.refreshToken)]).toEqual([401, 401]);
    const again = await reset(made.body.token, 'a third password');
    expect([again.status, again.body.errors[0].field]).toEqual([422, 'token']);
  });

  it('with an unknown or expired token is 422 on the token', async () => {
    const { token } = (await newReset()).body;
    await service.query('update password_reset set expires_at = now() where account_id = $1', [person.id]);
    const answers = [await reset(token), await reset('unknown')];
    for (const { status, body } of answers) expect([status, body.errors[0].field]).toEqual([422, 'token']);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await canSignIn(person.password)).toBe(true);
  });

  it('replaces the one before', async () => {
    const [first, second] = [await newReset(), await newReset()];
    expect((await reset(first.body.token)).status).toBe(422);
    expect((await reset(second.body.token)).status).toBe(204);
  });

  it('happens once when its token is used 5 times at the same time', async () => {
    const { token } = (await newReset()).body;
    const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => reset(token, `${NEW} ${index}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422, 422, 422, 422]);
  });

  it('is refused to everyone but the administrator, and 404 for an unknown account', async () => {
    const path = `accounts/${person.id}/password-resets`;
    expect((await service.call('POST', path, { token: person.token, json: {} })).status).toBe(403);
    expect((await newReset(randomUUID())).status).toBe(404);
    expect((await newReset('not-a-uuid')).status).toBe(404);
  });
});

describe('the administrator’s password', () => {
  beforeAll(makePerson);

  const restart = async (settings: Record<string, string>) => (await service.startReplica(settings)).stop();
  const works = async (password: string) => (await signInAs(service, { ...OWNER, password })).status === 201;

  it('that was changed survives restarts, until the environment names another one', async () => {
    const json = { current_password: OWNER.password, new_password: NEW };
    expect((await service.call('POST', 'account/password', { token: administrator, json })).status).toBe(204);
    await restart({});
    expect([await works(OWNER.password), await works(NEW)]).toEqual([false, true]);
    expect(await statusOf(administrator)).toBe(200);

    await restart({ BOOTSTRAP_OWNER_PASSWORD: 'named by the environment' });
    expect([await works(NEW), await works('named by the environment')]).toEqual([false, true]);
    expect(await statusOf(administrator)).toBe(401);
  });

  it('of an account from before such passwords were remembered is not set again', async () => {
    await service.query(
      'update account set environment_password_hash = null, is_administrator = false where email = $1',
      [OWNER.email],
    );
    await restart({ BOOTSTRAP_OWNER_PASSWORD: 'named by the environment' });
    const signedIn = await signInAs(service, { ...OWNER, password: 'named by the environment' });
    expect(signedIn.body.account.is_administrator).toBe(true);
    const { token } = signedIn.body;
    const json = { current_password: 'named by the environment', new_password: NEW };
    await service.call('POST', 'account/password', { token, json });
    await restart({ BOOTSTRAP_OWNER_PASSWORD: 'named by the environment' });
    expect(await works(NEW)).toBe(true);
  });

  it('and role belong to the account that the environment names', async () => {
    const before = (await signInAs(service, { ...OWNER, password: NEW })).body;
    await restart({ BOOTSTRAP_OWNER_EMAIL: person.email.toUpperCase(), BOOTSTRAP_OWNER_PASSWORD: 'of the next one' });
    const signedIn = await signInAs(service, { ...person, password: 'of the next one' });
    expect(signedIn.body.account).toEqual({ id: person.id, email: person.email, is_administrator: true });
    // Each service reads the role from the session, so those of the one before end.
    expect((await service.call('GET', 'session', { token: before.token })).status).toBe(401);
    const after = (await signInAs(service, { ...OWNER, password: NEW })).body;
    expect(after.account.is_administrator).toBe(false);
    expect((await service.call('GET', 'accounts', { token: after.token })).status).toBe(403);
  });

  it('is the same when three replicas start at the same time', async () => {
    const settings = { BOOTSTRAP_OWNER_EMAIL: 'first@example.com', BOOTSTRAP_OWNER_PASSWORD: 'of the first one' };
    await Promise.all([restart(settings), restart(settings), restart(settings)]);
    const json = { email: 'first@example.com', password: 'of the first one' };
    expect((await signInAs(service, json)).body.account.is_administrator).toBe(true);
    const administrators = await service.query('select 1 from account where is_administrator');
    expect(administrators).toHaveLength(1);
  });
});
