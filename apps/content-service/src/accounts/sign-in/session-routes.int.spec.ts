import { randomUUID } from 'node:crypto';
import { createSessionVerifier, MAX_SESSION_TTL_S } from '@blog-content/credentials';
import { sessionsTopic } from '@blog-content/payload-schemas';
import { newPerson, signInAs, type Person } from '../../../test/people.ts';
import { OWNER, startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let administrator: string;
beforeAll(async () => {
  service = await startRunningService();
  administrator = await service.signIn();
});
afterAll(() => service[Symbol.asyncDispose]());

const signIn = async () => (await signInAs(service, OWNER)).body;
const refresh = (refresh_token: string) => service.call('POST', 'session/refresh', { json: { refresh_token } });
const statusOf = async (token: string) => (await service.call('GET', 'session', { token })).status;
const sessionIdOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid;

/** Moves the times of a session's used tokens back, as if time had passed. */
const usedEarlier = (token: string, ms: number) =>
  service.query(
    `update refresh_token set used_at = used_at - $2 * interval '1 millisecond' where session_id = $1 and used_at is not null`,
    [sessionIdOf(token), ms],
  );

describe('owner sessions', () => {
  it('begin with the right email, in any case, and password', async () => {
    const answer = await signInAs(service, { ...OWNER, email: ' Owner@Example.com ' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      token: expect.any(String),
      expires_at: expect.stringMatching(/Z$/),
      refresh_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      refresh_expires_at: expect.stringMatching(/Z$/),
      account: { id: expect.any(String), email: OWNER.email, is_administrator: true },
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    const { body } = await service.call('GET', 'session', { token: answer.body.token });
    expect(body).toEqual({ expires_at: answer.body.expires_at, account: answer.body.account });
  });

  it('have tokens of 30 minutes and end after 30 days', async () => {
    const before = Date.now();
    const { expires_at, refresh_expires_at } = await signIn();
    const after = Date.now();
    const within = (time: string, ms: number) =>
      Date.parse(time) >= before + ms - 1_000 && Date.parse(time) <= after + ms;
    expect(within(expires_at, 1_800_000)).toBe(true);
    expect(within(refresh_expires_at, 30 * 86_400_000)).toBe(true);
  });

  it.each([
    ['a wrong password', { ...OWNER, password: 'wrong' }],
    ['an unknown email', { ...OWNER, email: 'nobody@example.com' }],
    ['an email that no database could hold', { ...OWNER, email: 'nobody\0@example.com' }],
    ['an email that is none', { ...OWNER, email: '\ud800' }],
  ])('do not begin with %s, and the answer does not tell which', async (_case, json) => {
    const answer = await service.call('POST', 'session', { json });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      title: 'Unauthorized',
      status: 401,
      detail: 'Wrong email or password.',
    });
  });

  it.each(['projects', `projects/${randomUUID()}`, `projects/${randomUUID()}/blogs`, 'accounts', 'invitations'])(
    'are needed for %s',
    async (path) => {
      const answer = await service.call('GET', path);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('Bearer');
      expect(answer.headers['content-type']).toContain('application/problem+json');
    },
  );

  it('can be verified by others with the public keys', async () => {
    const jwks = (await service.call('GET', 'jwks.json')).body;
    expect(jwks.keys).toHaveLength(1);
    expect(jwks.keys[0]).not.toHaveProperty('d');
    const { token, account } = await signIn();
    expect(await createSessionVerifier(JSON.stringify(jwks))(token)).toMatchObject({
      accountId: account.id,
      sessionId: sessionIdOf(token),
    });
  });

  it('are at most 100 per account: one more ends the oldest', async () => {
    const person = await newPerson(service, administrator);
    await service.query(
      `insert into account_session (id, account_id, created_at, expires_at)
       select gen_random_uuid(), $1, now() + n * interval '1 second', now() + interval '1 day' from generate_series(1, 98) n`,
      [person.id],
    );
    const live = async () =>
      (await service.query('select 1 from account_session where account_id = $1 and revoked_at is null', [person.id]))
        .length;
    expect(await live()).toBe(99);
    await signInAs(service, person);
    expect([await live(), await statusOf(person.token)]).toEqual([100, 200]);
    await signInAs(service, person);
    expect([await live(), await statusOf(person.token)]).toEqual([100, 401]);
  });

  it('are at most 100 also when 10 begin at the same time', async () => {
    const person = await newPerson(service, administrator);
    await service.query(
      `insert into account_session (id, account_id, created_at, expires_at)
       select gen_random_uuid(), $1, now(), now() + interval '1 day' from generate_series(1, 95)`,
      [person.id],
    );
    await Promise.all(Array.from({ length: 10 }, () => signInAs(service, person)));
    const rows = await service.query('select 1 from account_session where account_id = $1 and revoked_at is null', [
      person.id,
    ]);
    expect(rows).toHaveLength(100);
  });
});

describe('signing out', () => {
  it('ends the session and its refresh token immediately, and no other session', async () => {
    const [here, elsewhere] = [await signIn(), await signIn()];
    expect((await service.call('DELETE', 'session', { token: here.token })).status).toBe(204);
    const answer = await service.call('GET', 'session', { token: here.token });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
    expect((await service.call('GET', 'projects', { token: here.token })).status).toBe(401);
    expect((await refresh(here.refresh_token)).status).toBe(401);
    expect(await statusOf(elsewhere.token)).toBe(200);
    expect((await refresh(elsewhere.refresh_token)).status).toBe(200);
  });

  it('is known to every replica immediately', async () => {
    const replica = await service.startReplica();
    const { token } = await signIn();
    expect((await replica.call('GET', 'session', { token })).status).toBe(200);
    await service.call('DELETE', 'session', { token });
    expect((await replica.call('GET', 'session', { token })).status).toBe(401);
    await replica.stop();
  });
});

describe('a session that ends before its tokens expire', () => {
  const revoked = async (since: number) =>
    (
      await service.query<{ data: { session_id: string; expires_at: string } }>(
        `select data from outbox where topic = 'blog.sessions' and position > $1 order by position`,
        [since],
      )
    ).map(({ data }) => data);
  const outboxEnd = async () =>
    Number((await service.query<{ end: string }>('select coalesce(max(position), 0) as end from outbox'))[0]?.end);

  it('is announced to the other services with the time after which none of its tokens is valid', async () => {
    const { token } = await signIn();
    const [since, before] = [await outboxEnd(), Date.now()];
    await service.call('DELETE', 'session', { token });
    const [event, ...others] = await revoked(since);
    expect([event?.session_id, others]).toEqual([sessionIdOf(token), []]);
    expect(Date.parse(event?.expires_at ?? '')).toBeGreaterThanOrEqual(before + MAX_SESSION_TTL_S * 1_000);
    expect(sessionsTopic.retention.keepMs).toBeGreaterThan(MAX_SESSION_TTL_S * 1_000);
  });

  it.each<[string, (person: Person) => Promise<unknown>, number]>([
    [
      'a changed password, except the current session',
      (person) =>
        service.call('POST', 'account/password', {
          token: person.token,
          json: { current_password: person.password, new_password: 'another long password' },
        }),
      1,
    ],
    [
      'a password reset',
      async (person) => {
        const reset = await service.call('POST', `accounts/${person.id}/password-resets`, { token: administrator });
        const json = { token: reset.body.token, new_password: 'another long password' };
        return service.call('POST', 'password-reset', { json });
      },
      2,
    ],
    [
      'the deletion of the account',
      (person) => service.call('DELETE', `accounts/${person.id}`, { token: administrator }),
      2,
    ],
    [
      'a refresh token that is used twice',
      async (person) => {
        await refresh(person.refreshToken);
        await usedEarlier(person.token, 10_001);
        return refresh(person.refreshToken);
      },
      1,
    ],
  ])('is announced when it is ended by %s', async (_case, end, ended) => {
    const person = await newPerson(service, administrator);
    const other = (await signInAs(service, person)).body;
    const since = await outboxEnd();
    await end(person);
    const told = (await revoked(since)).map((event) => event.session_id);
    expect(told).toHaveLength(ended);
    const both = [sessionIdOf(person.token), sessionIdOf(other.token)];
    expect(both).toEqual(expect.arrayContaining(told));
  });
});

describe('refreshing', () => {
  it('gives a new token of the same session and uses the refresh token up', async () => {
    const first = await signIn();
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.headers['cache-control']).toBe('no-store');
    expect(sessionIdOf(second.body.token)).toBe(sessionIdOf(first.token));
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect(second.body.refresh_expires_at).toBe(first.refresh_expires_at);
    expect(second.body.account).toEqual(first.account);
    expect(await statusOf(second.body.token)).toBe(200);
    expect((await refresh(second.body.refresh_token)).status).toBe(200);
  });

  it('with a reused token ends the session', async () => {
    const stolen = await signIn();
    const next = (await refresh(stolen.refresh_token)).body;
    await usedEarlier(stolen.token, 10_001);
    const refused = await refresh(stolen.refresh_token);
    expect([refused.status, refused.body.detail]).toEqual([
      401,
      'The refresh token is invalid or expired. Sign in again.',
    ]);
    expect((await refresh(next.refresh_token)).body).toEqual(refused.body);
    expect([await statusOf(stolen.token), await statusOf(next.token)]).toEqual([401, 401]);
  });

  it('may be repeated shortly after, because two tabs do, and answers are lost', async () => {
    const first = await signIn();
    const [one, other] = [await refresh(first.refresh_token), await refresh(first.refresh_token)];
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(one.body.refresh_token).not.toBe(other.body.refresh_token);
    for (const { body } of [one, other]) expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it('counts the ten seconds from the first use, not from the last', async () => {
    const first = await signIn();
    await refresh(first.refresh_token);
    await usedEarlier(first.token, 9_000);
    await refresh(first.refresh_token);
    const [row] = await service.query<{ used: number }>(
      `select extract(epoch from now() - used_at)::float8 as used from refresh_token where session_id = $1 and used_at is not null`,
      [sessionIdOf(first.token)],
    );
    expect(row?.used).toBeGreaterThan(8.9);
  });

  it('10 times at the same time gives 10 tokens of one session, each good for one more', async () => {
    const { refresh_token: token, token: access } = await signIn();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(token)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(10);
    const used = await service.query('select 1 from refresh_token where session_id = $1 and used_at is not null', [
      sessionIdOf(access),
    ]);
    expect(used).toHaveLength(1);
  });

  it('never goes beyond the end of the session', async () => {
    const first = await signIn();
    const expireIn = (seconds: number) =>
      service.query(`update account_session set expires_at = now() + $2 * interval '1 second' where id = $1`, [
        sessionIdOf(first.token),
        seconds,
      ]);
    await expireIn(120);
    const second = (await refresh(first.refresh_token)).body;
    expect(Date.parse(second.expires_at)).toBeLessThanOrEqual(Date.parse(second.refresh_expires_at));
    await expireIn(0);
    expect((await refresh(second.refresh_token)).status).toBe(401);
    expect(await statusOf(second.token)).toBe(401);
  });

  it('is possible 10,000 times, then the session ends', async () => {
    const first = await signIn();
    const sessionId = sessionIdOf(first.token);
    await service.query(
      `insert into refresh_token (hash, session_id, created_at, used_at)
       select md5(n::text || $1::text), $1::uuid, now(), now() from generate_series(1, 9998) n`,
      [sessionId],
    );
    const last = await refresh(first.refresh_token);
    expect(last.status).toBe(200);
    expect((await refresh(last.body.refresh_token)).status).toBe(401);
    expect(await statusOf(first.token)).toBe(401);
  });

  it.each([['unknown'], ['x'.repeat(200)], ['A'.repeat(43)]])('is refused with %j', async (token) => {
    expect((await refresh(token)).status).toBe(401);
  });

  it('needs a refresh token', async () => {
    for (const json of [{}, { refresh_token: '' }, { refresh_token: 'x'.repeat(201) }, { refresh_token: 7 }]) {
      expect((await service.call('POST', 'session/refresh', { json })).status).toBe(422);
    }
  });
});

describe('the database', () => {
  it('contains no token and no password, or anything usable as one', async () => {
    const person: Person = await newPerson(service, administrator);
    const next = (await refresh(person.refreshToken)).body;
    const reset = await service.call('POST', `accounts/${person.id}/password-resets`, {
      token: administrator,
      json: {},
    });
    const json = { email: `${randomUUID()}@example.com` };
    const headers = { 'idempotency-key': randomUUID() };
    const invited = await service.call('POST', 'invitations', { token: administrator, json, headers });
    const secrets = [person.password, person.token, person.refreshToken, next.token, next.refresh_token];
    secrets.push(reset.body.token, invited.body.token, OWNER.password);
    const tables = await service.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const rows = (await service.query<{ text: string }>(`select t::text as text from ${name} t`)).map(
        ({ text }) => text,
      );
      for (const secret of secrets) expect(rows.filter((row) => row.includes(secret))).toEqual([]);
    }
    const [account] = await service.query<{ password_hash: string }>('select password_hash from account');
    expect(account?.password_hash).toMatch(/^\$argon2id\$/);
  });
});
