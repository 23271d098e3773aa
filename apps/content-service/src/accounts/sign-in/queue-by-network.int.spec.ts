import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { OWNER, startRunningService, type Answer, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startRunningService({ TRUSTED_PROXY_HOPS: '1' });
});
afterAll(() => service[Symbol.asyncDispose]());

const waiting = () =>
  service.query(
    `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and state = 'active'`,
  );
/** Holds what signing in needs until it is disposed of. */
const hold = async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('lock table rate_limit, refresh_token, password_reset, invitation_token in access exclusive mode');
  return { [Symbol.asyncDispose]: () => client.end() };
};
const passwords = { token: 'x'.repeat(43), new_password: 'another password' };
const cookie = { cookie: `__Secure-blog-session=${'x'.repeat(43)}` };

it.each([
  ['signing in', 'session', OWNER, {}],
  ['signing in from a page', 'session/browser', OWNER, {}],
  ['refreshing', 'session/refresh', { refresh_token: 'x'.repeat(43) }, {}],
  ['refreshing from a page', 'session/browser/refresh', {}, cookie],
  ['resetting a password', 'password-reset', passwords, {}],
  ['accepting an invitation', 'invitations/accept', { token: 'x'.repeat(43), password: 'another password' }, {}],
])('%s runs two at a time for one network, without delaying another network', async (...row) => {
  const [, path, json, headers] = row;
  const ask = (from: string, number: number) =>
    service.call('POST', path, {
      json,
      // Even with a token, which anyone could make up.
      headers: { ...headers, authorization: `Bearer ${number}`, 'x-forwarded-for': from },
    });
  const asked: Promise<Answer>[] = [];
  {
    await using _held = await hold();
    for (let number = 1; number <= 6; number += 1) asked.push(ask(`2001:db8::${number}`, number));
    await eventually(async () => expect(await waiting()).toHaveLength(2));
    asked.push(ask('2001:db8:0:1::1', 7));
    await eventually(async () => expect(await waiting()).toHaveLength(3));
  }
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: 7 }, () => statuses[0]));
  expect([201, 401, 422]).toContain(statuses[0]);
});

it('Requests beyond those that may wait for their network get 429 with Retry-After', async () => {
  const asked: Promise<Answer>[] = [];
  {
    await using _held = await hold();
    const json = { refresh_token: 'x'.repeat(43) };
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    for (let time = 0; time < 103; time += 1) asked.push(service.call('POST', 'session/refresh', { json, headers }));
    const refused = await Promise.any(asked);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '2']);
    expect(refused.body.detail).toContain('Too many concurrent requests from your network.');
  }
  const others = (await Promise.all(asked)).filter(({ status }) => status !== 429);
  expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 102 }, () => 401));
});
