import { randomUUID } from 'node:crypto';
import { newPerson, signInAs, type Person } from '../../../test/people.ts';
import { startRunningService, type Answer, type RunningService } from '../../../test/running-service.ts';
import { SESSION_COOKIE, SESSION_COOKIE_PATH } from './session-cookie.ts';

let service: RunningService;
let administrator: string;
let person: Person;
beforeAll(async () => {
  service = await startRunningService();
  administrator = await service.signIn();
});
beforeEach(async () => {
  person = await newPerson(service, administrator);
});
afterAll(() => service[Symbol.asyncDispose]());

const SAME = { 'sec-fetch-site': 'same-origin' };
const withCookie = (token: string) => ({ ...SAME, cookie: `theme=dark; ${SESSION_COOKIE}=${token}` });
const signIn = (headers: Record<string, string> = SAME) => {
  const { email, password } = person;
  return service.call('POST', 'session/browser', { json: { email, password }, headers });
};
const refresh = (token: string, headers: Record<string, string> = withCookie(token)) =>
  service.call('POST', 'session/browser/refresh', { headers });
const statusOf = async (token: string) => (await service.call('GET', 'session', { token })).status;
const cookieOf = ({ headers }: Answer): string => {
  const [cookie = '', ...others] = headers['set-cookie'] ?? [];
  expect(others).toEqual([]);
  return cookie;
};
const tokenOf = (answer: Answer): string => /^[^=]+=([^;]*)/.exec(cookieOf(answer))?.[1] ?? '';
const usedEarlier = (ms: number) =>
  service.query(
    `update refresh_token set used_at = used_at - $2 * interval '1 millisecond'
     where session_id in (select id from account_session where account_id = $1)`,
    [person.id, ms],
  );
const CLEARED = new RegExp(`^${SESSION_COOKIE}=; Path=${SESSION_COOKIE_PATH}; Expires=Thu, 01 Jan 1970`);

describe('a browser that signs in', () => {
  it('gets its refresh token only in a cookie that no script reads and no other site sends', async () => {
    const answer = await signIn();
    expect(answer.status).toBe(201);
    expect(cookieOf(answer)).toMatch(
      new RegExp(
        `^${SESSION_COOKIE}=[A-Za-z0-9_-]{43}; Path=${SESSION_COOKIE_PATH}; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$`,
      ),
    );
    expect(Object.keys(answer.body).sort()).toEqual(['account', 'expires_at', 'refresh_expires_at', 'token']);
    expect(JSON.stringify(answer.body)).not.toContain(tokenOf(answer));
    expect(await statusOf(answer.body.token)).toBe(200);
  });

  it('with a wrong password gets the same answer and throttling as any client, and no cookie', async () => {
    const wrong = (path: string, email: string) =>
      service.call('POST', path, { json: { email, password: 'wrong' }, headers: SAME });
    const [known, unknown, bearer] = [
      await wrong('session/browser', person.email),
      await wrong('session/browser', `${randomUUID()}@example.com`),
      await wrong('session', person.email),
    ];
    expect([known.status, known.headers['set-cookie']]).toEqual([401, undefined]);
    expect([unknown.body, bearer.body]).toEqual([known.body, known.body]);
    for (let time = 0; time < 4; time += 1) await wrong('session/browser', person.email);
    expect((await signIn()).status).toBe(429);
  });

  it('ends its earlier session, whose cookie becomes invalid', async () => {
    const before = await signIn();
    const after = await signIn(withCookie(tokenOf(before)));
    expect([await statusOf(before.body.token), await statusOf(after.body.token)]).toEqual([401, 200]);
    expect(tokenOf(after)).not.toBe(tokenOf(before));
    expect((await refresh(tokenOf(before))).status).toBe(401);
  });

  it('never reuses the token of a planted cookie', async () => {
    const planted = 'A'.repeat(43);
    const answer = await signIn(withCookie(planted));
    expect([answer.status, tokenOf(answer) === planted]).toEqual([201, false]);
    expect((await refresh(planted)).status).toBe(401);
  });

  it('may do so by an invitation', async () => {
    const email = `${randomUUID()}@example.com`;
    const { body } = await service.call('POST', 'invitations', { token: administrator, json: { email } });
    const json = { token: body.token, password: 'a long enough password' };
    const answer = await service.call('POST', 'session/browser/invitation', { json, headers: SAME });
    expect([answer.status, answer.body.account.email, answer.body.refresh_token]).toEqual([201, email, undefined]);
    expect((await refresh(tokenOf(answer))).status).toBe(200);
    expect((await service.call('POST', 'session/browser/invitation', { json, headers: SAME })).status).toBe(422);
  });
});

describe('a page of another site', () => {
  it.each(['cross-site', 'same-site', 'none'])('(%s) can neither sign in, sign out nor refresh', async (site) => {
    const answer = await signIn();
    const token = tokenOf(answer);
    const headers = { ...withCookie(token), 'sec-fetch-site': site };
    const tried = [
      await signIn(headers),
      await refresh(token, headers),
      await service.call('DELETE', 'session/browser', { headers }),
      await service.call('POST', 'session/browser/invitation', { json: {}, headers }),
    ];
    expect(tried.map(({ status, headers: got }) => [status, got['set-cookie']])).toEqual(
      Array.from({ length: 4 }, () => [403, undefined]),
    );
    expect((await refresh(token)).status).toBe(200);
  });

  it('cannot sign in with a form, because only JSON is read', async () => {
    const body = `{"email":"${person.email}","password":"${person.password}","x":"="}`;
    const headers = { 'content-type': 'text/plain' };
    expect((await service.call('POST', 'session/browser', { body, headers })).status).toBe(415);
  });

  it('cannot use the cookie elsewhere, because every other route accepts the session token alone', async () => {
    const headers = withCookie(tokenOf(await signIn()));
    const answers = [
      await service.call('GET', 'session', { headers }),
      await service.call('GET', 'projects', { headers }),
      await service.call('DELETE', 'account/sessions', { headers }),
      await service.call('POST', 'session/refresh', { headers, json: {} }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 422]);
  });

  it('of a neighboring domain that plants a second cookie invalidates both', async () => {
    const mine = tokenOf(await signIn());
    const planted = tokenOf(await signIn());
    const cookie = `${SESSION_COOKIE}=${planted}; ${SESSION_COOKIE}=${mine}`;
    expect((await refresh(mine, { ...SAME, cookie })).status).toBe(401);
    expect((await refresh(mine)).status).toBe(200);
  });
});

describe('a browser that refreshes', () => {
  it('gets a new token and a new cookie of the same session', async () => {
    const first = await signIn();
    const second = await refresh(tokenOf(first));
    expect(second.status).toBe(200);
    expect(second.body).toEqual({ ...first.body, token: expect.any(String), expires_at: expect.any(String) });
    expect(tokenOf(second)).not.toBe(tokenOf(first));
    expect((await refresh(tokenOf(second))).status).toBe(200);
  });

  it('in two concurrent tabs stays signed in with either cookie', async () => {
    const token = tokenOf(await signIn());
    const answers = await Promise.all([refresh(token), refresh(token)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const answer of answers) expect((await refresh(tokenOf(answer))).status).toBe(200);
  });

  it('with a reused cookie is signed out, and loses the cookie', async () => {
    const stolen = await signIn();
    const next = await refresh(tokenOf(stolen));
    await usedEarlier(10_001);
    const refused = await refresh(tokenOf(stolen));
    expect([refused.status, cookieOf(refused)]).toEqual([401, expect.stringMatching(CLEARED)]);
    expect((await refresh(tokenOf(next))).status).toBe(401);
    expect(await statusOf(next.body.token)).toBe(401);
  });

  it.each([
    ['no cookie', {}],
    ['an empty one', { cookie: `${SESSION_COOKIE}=` }],
    ['one that nobody made', { cookie: `${SESSION_COOKIE}=${'x'.repeat(43)}` }],
    ['one that is too long', { cookie: `${SESSION_COOKIE}=${'x'.repeat(201)}` }],
    ['one of another name', { cookie: `x${SESSION_COOKIE}=a; blog-session=b` }],
  ])('with %s is 401', async (_case, headers: Record<string, string>) => {
    expect((await refresh('', headers)).status).toBe(401);
  });
});

describe('signing a browser out', () => {
  it('ends the session and deletes the cookie, even if its token has expired', async () => {
    const signedIn = await signIn();
    const answer = await service.call('DELETE', 'session/browser', { headers: withCookie(tokenOf(signedIn)) });
    expect([answer.status, cookieOf(answer)]).toEqual([204, expect.stringMatching(CLEARED)]);
    expect([await statusOf(signedIn.body.token), (await refresh(tokenOf(signedIn))).status]).toEqual([401, 401]);
  });
});

describe('the sessions of an account', () => {
  const list = async (token: string) => (await service.call('GET', 'account/sessions', { token })).body.items;

  it('are listed with their user agents, newest first, without a secret', async () => {
    const { body, ...answer } = await signIn({ ...SAME, 'user-agent': `Browser ${'x'.repeat(300)}` });
    await refresh(tokenOf({ body, ...answer }));
    const items = await list(body.token);
    expect(items).toHaveLength(2);
    expect(items[0]).toEqual({
      id: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
      refreshed_at: expect.stringMatching(/Z$/),
      expires_at: body.refresh_expires_at,
      user_agent: `Browser ${'x'.repeat(192)}`,
      is_current: true,
    });
    expect(items[1]).toMatchObject({ refreshed_at: null, is_current: false });
  });

  it('end one by one, and nobody ends another’s', async () => {
    const { body } = await signIn();
    const [{ id: mine }] = await list(body.token);
    const other = await newPerson(service, administrator);
    const end = (token: string) => service.call('DELETE', `account/sessions/${mine}`, { token });
    expect([(await end(other.token)).status, await statusOf(body.token)]).toEqual([404, 200]);
    expect([(await end(person.token)).status, await statusOf(body.token)]).toEqual([204, 401]);
    expect((await end(person.token)).status).toBe(404);
    expect(await list(person.token)).toHaveLength(1);
  });

  it('end together, those of browsers and of other clients, and nobody else’s', async () => {
    const [browser, bearer] = [await signIn(), (await signInAs(service, person)).body];
    const other = await newPerson(service, administrator);
    expect((await service.call('DELETE', 'account/sessions', { token: bearer.token })).status).toBe(204);
    const tokens = [browser.body.token, bearer.token, person.token, other.token];
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 401, 401, 200]);
    expect((await refresh(tokenOf(browser))).status).toBe(401);
  });
});
