import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { newPerson, signInAs } from '../../../test/people.ts';
import { OWNER, startRunningService, type Answer, type RunningService } from '../../../test/running-service.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import { createThrottle } from './throttle-store.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startRunningService({ TRUSTED_PROXY_HOPS: '1' });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => service.query('delete from rate_limit'));

let lastAddress = 0;
const newAddress = () => `198.51.100.${(lastAddress += 1)}`;
const newEmail = () => `${randomUUID()}@example.com`;

/** Tries to sign in, from an address as the proxy in front names it. */
function guess(email: string, from: string, password = 'wrong', call = service.call): Promise<Answer> {
  return call('POST', 'session', { json: { email, password }, headers: { 'x-forwarded-for': from } });
}
const failures = async (times: number, email: string, from: string) => {
  const answers = [];
  for (let time = 0; time < times; time += 1) answers.push((await guess(email, from)).status);
  return answers;
};
const allFailed = (times: number) => Array.from({ length: times }, () => 401);
/** Lets the limiter's counters of one kind run out. */
const letExpire = (kind: string) =>
  service.query(`update rate_limit set expire = now() - interval '1 second' where key like $1`, [`${kind}:%`]);
const setPoints = (kind: string, points: number) =>
  service.query('update rate_limit set points = $2 where key like $1', [`${kind}:%`, points]);
const waitOf = (answer: Answer) => Number(answer.headers['retry-after']);

describe('failed sign-ins', () => {
  it('are slowed down after repeated failures', async () => {
    const email = newEmail();
    await Promise.all(Array.from({ length: 6 }, () => guess(email, '203.0.113.1')));
    const answer = await guess(email, '203.0.113.1');
    expect(answer.status).toBe(429);
    expect(answer.body.detail).toBe('Too many failed attempts. Wait before you try again.');
    expect(waitOf(answer)).toBeGreaterThan(0);
    expect(waitOf(answer)).toBeLessThanOrEqual(15);
  });

  it('at the same time count too: of 30, six are checked', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 30 }, () => guess(email, '203.0.113.1')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(6);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(24);
  });

  it('wait twice as long after each further one, 15 minutes at most', async () => {
    const [email, from] = [newEmail(), newAddress()];
    expect(await failures(6, email, from)).toEqual(allFailed(6));
    const waits = [];
    for (let time = 0; time < 8; time += 1) {
      waits.push(waitOf(await guess(email, from)));
      await letExpire('sign-in-turn');
      expect((await guess(email, from)).status).toBe(401);
    }
    const longest = [15, 30, 60, 120, 240, 480, 900, 900];
    // A wait is told in whole seconds, some of which may have passed.
    waits.forEach((wait, index) => {
      expect(wait).toBeLessThanOrEqual(longest[index] ?? 0);
      expect(wait).toBeGreaterThan((longest[index] ?? 0) / 2);
    });
  });

  it('are forgotten after half an hour', async () => {
    const [email, from] = [newEmail(), newAddress()];
    await failures(6, email, from);
    expect((await guess(email, from)).status).toBe(429);
    await letExpire('sign-in-failures');
    expect(await failures(5, email, from)).toEqual(allFailed(5));
  });

  it('are counted by all replicas together', async () => {
    const replica = await service.startReplica();
    const [email, from] = [newEmail(), newAddress()];
    await failures(3, email, from);
    for (let time = 0; time < 3; time += 1) await guess(email, from, 'wrong', replica.call);
    expect((await guess(email, from)).status).toBe(429);
    expect((await guess(email, from, 'wrong', replica.call)).status).toBe(429);
    await replica.stop();
  });

  it('of one email and address block neither the email elsewhere nor the address for others', async () => {
    const [email, from] = [newEmail(), newAddress()];
    await failures(7, email, from);
    expect((await guess(email, newAddress())).status).toBe(401);
    expect((await guess(newEmail(), from)).status).toBe(401);
  });

  it('from one IPv6 network count as one address', async () => {
    const email = newEmail();
    for (let time = 1; time <= 6; time += 1) await guess(email, `2001:db8:0:7::${time}`);
    expect((await guess(email, '2001:db8:0:7:ffff::1')).status).toBe(429);
    expect((await guess(email, '2001:db8:0:8::1')).status).toBe(401);
  });

  it('of one email over all addresses are 100 a day, then it waits an hour', async () => {
    const email = newEmail();
    await guess(email, newAddress());
    await setPoints('sign-in-email', 99);
    expect((await guess(email, newAddress())).status).toBe(401);
    const refused = await guess(email, newAddress());
    expect([refused.status, waitOf(refused)]).toEqual([429, 3_600]);
    expect((await guess(email, newAddress())).status).toBe(429);
    expect((await guess(newEmail(), newAddress())).status).toBe(401);
    await letExpire('sign-in-email');
    expect((await guess(email, newAddress())).status).toBe(401);
  });

  it('of strangers do not lock out a person who has signed in from the same address before', async () => {
    const home = newAddress();
    const person = await newPerson(service, await service.signIn());
    expect((await guess(person.email, home, person.password)).status).toBe(201);
    await guess(person.email, newAddress());
    await setPoints('sign-in-email', 100);
    expect((await guess(person.email, newAddress(), person.password)).status).toBe(429);
    expect((await guess(person.email, home, person.password)).status).toBe(201);
  });

  it('of others at the same address do not lock out a person who has signed in from there before', async () => {
    const office = newAddress();
    const person = await newPerson(service, await service.signIn());
    expect((await guess(person.email, office, person.password)).status).toBe(201);
    await guess(newEmail(), office);
    await setPoints('sign-in-address', 100);
    expect((await guess(newEmail(), office)).status).toBe(429);
    expect((await guess(person.email, office, person.password)).status).toBe(201);
    // Their own wait holds there, too.
    expect(await failures(6, person.email, office)).toEqual(allFailed(6));
    expect((await guess(person.email, office, person.password)).status).toBe(429);
  });

  it.each(['sign-in-address', 'sign-in-email', 'sign-in-turn'])(
    'that %s refuses wait for no lock, and change nothing',
    async (kind) => {
      const [email, from] = [newEmail(), newAddress()];
      await failures(6, email, from);
      if (kind !== 'sign-in-turn') {
        await service.query(`delete from rate_limit where key like 'sign-in-turn:%'`);
        await setPoints(kind, 101);
      }
      const rows = () => service.query('select key, points, expire from rate_limit order by key');
      const before = await rows();
      {
        await using locking = new AsyncDisposableStack();
        const client = locking.adopt(new pg.Client({ connectionString: service.databaseUrl }), (one) => one.end());
        await client.connect();
        await client.query('begin');
        await client.query('select 1 from rate_limit for update');
        await client.query('lock table account in access exclusive mode');
        const refused = await Promise.all(Array.from({ length: 10 }, () => guess(email, from)));
        expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 429));
      }
      expect(await rows()).toEqual(before);
    },
  );

  it('that were refused do not use up the attempts of others', async () => {
    const [email, from] = [newEmail(), newAddress()];
    await failures(6, email, from);
    await failures(10, email, from);
    const points = await service.query<{ key: string; points: number }>(
      `select split_part(key, ':', 1) as key, points from rate_limit order by key`,
    );
    expect(Object.fromEntries(points.map((row) => [row.key, row.points]))).toMatchObject({
      'sign-in-address': 6,
      'sign-in-email': 6,
      'sign-in-failures': 6,
    });
  });

  it('of one address are 100 an hour over all emails', async () => {
    const from = newAddress();
    await guess(newEmail(), from);
    await setPoints('sign-in-address', 99);
    expect((await guess(newEmail(), from)).status).toBe(401);
    const refused = await guess(newEmail(), from);
    expect(refused.status).toBe(429);
    expect(waitOf(refused)).toBeLessThanOrEqual(3_600);
    await letExpire('sign-in-address');
    expect((await guess(newEmail(), from)).status).toBe(401);
  });

  it('of a refused address leave nothing in the table for any email it tries', async () => {
    const from = newAddress();
    await guess(newEmail(), from);
    await setPoints('sign-in-address', 100);
    const before = await service.query('select key from rate_limit order by key');
    for (let time = 0; time < 3; time += 1) expect((await guess(newEmail(), from)).status).toBe(429);
    expect(await service.query('select key from rate_limit order by key')).toEqual(before);
  });

  it('that are taken back neither go below zero nor start a new period', async () => {
    const database = openDatabase(service.databaseUrl, 2, () => undefined);
    const throttle = createThrottle(database, () => new Date());
    const begin = async () => {
      const attempt = await throttle.begin('a@example.com', '203.0.113.9');
      if ('waitMs' in attempt) throw new Error('refused');
      return attempt;
    };
    const rows = () => service.query(`select points, expire > now() as "isOpen" from rate_limit`);
    const expired = await begin();
    await service.query(`update rate_limit set expire = now() - interval '1 second'`);
    await expired.withdrawn();
    expect(await rows()).toEqual(Array.from({ length: 3 }, () => ({ points: 1, isOpen: false })));
    await service.query('delete from rate_limit');
    await (await begin()).withdrawn();
    const forgotten = await begin();
    await service.query('update rate_limit set points = 0');
    await forgotten.withdrawn();
    expect(await rows()).toEqual(Array.from({ length: 3 }, () => ({ points: 0, isOpen: true })));
    await service.query('delete from rate_limit');
    const gone = await begin();
    await service.query('delete from rate_limit');
    await gone.withdrawn();
    expect(await rows()).toEqual([]);
    await database.$disconnect();
  });

  it('are forgiven by a success', async () => {
    const from = newAddress();
    for (let round = 0; round < 3; round += 1) {
      expect(await failures(5, OWNER.email, from)).toEqual(allFailed(5));
      expect((await guess(OWNER.email, from, OWNER.password)).status).toBe(201);
    }
    // Those before the first success still count for the address.
    const [row] = await service.query<{ points: number }>(
      `select points from rate_limit where key like 'sign-in-address:%'`,
    );
    expect(row?.points).toBe(5);
  });

  it('leave neither emails nor addresses in the table', async () => {
    const [email, from] = [newEmail(), newAddress()];
    await guess(email, from);
    const rows = JSON.stringify(await service.query('select * from rate_limit'));
    for (const told of [email, from]) expect(rows).not.toContain(told);
  });

  it('are refused with 500 while they cannot be counted', async () => {
    await service.query('alter table rate_limit rename to rate_limit_away');
    const right = await guess(OWNER.email, newAddress(), OWNER.password);
    const wrong = await guess(OWNER.email, newAddress());
    await service.query('alter table rate_limit_away rename to rate_limit');
    expect([right.status, wrong.status]).toEqual([500, 500]);
    const texts = [right, wrong].map(({ body }) => body.detail.replace(/ID .+/, ''));
    expect(texts[0]).toBe(texts[1]);
    expect((await signInAs(service, OWNER)).status).toBe(201);
  });
});
