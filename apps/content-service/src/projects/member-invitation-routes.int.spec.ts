import { randomUUID } from 'node:crypto';
import { newPerson, projectEvents, type Person } from '../../test/people.ts';
import { OWNER, startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let token: string;
let project: string;
let person: Person;
beforeAll(async () => {
  service = await startRunningService();
  token = await service.signIn();
  person = await newPerson(service, token);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  project = (await service.call('POST', 'projects', { token, json: { name: 'Site' } })).body.id;
});

const invite = (email: string, role = 'editor', as = token, headers: Record<string, string> = {}) =>
  service.call('POST', `projects/${project}/members`, { token: as, json: { email, role }, headers });
const open = async (as = token) => (await service.call('GET', `projects/${project}/invitations`, { token: as })).body;
const received = async (as = person.token) =>
  (await service.call('GET', 'account/invitations?limit=100', { token: as })).body.items;
const answer = (id: string, how: 'accept' | 'decline', as = person.token) =>
  service.call('POST', `account/invitations/${id}/${how}`, { token: as });
const withdraw = (id: string, as = token) =>
  service.call('DELETE', `projects/${project}/invitations/${id}`, { token: as });

/** What was answered, as a list has it. */
const listed = ({ is_emailed: _isEmailed, ...rest }: Record<string, unknown>) => rest;

/** What an answer says, without what differs for each invitation and address. */
const shapeOf = ({ status, headers, body }: Awaited<ReturnType<typeof invite>>) => {
  const { id: _id, email: _email, created_at, expires_at, ...same } = body;
  const lasts = Date.parse(expires_at) - Date.parse(created_at);
  return { status, keys: Object.keys(body), same, lasts, headers: Object.keys(headers).sort() };
};

describe('inviting a person to a project', () => {
  it('answers the same whether the email has an account or not, and lists both alike', async () => {
    const [known, unknown] = [await invite(person.email), await invite(`${randomUUID()}@example.com`)];
    expect(known.status).toBe(201);
    expect(shapeOf(known)).toEqual(shapeOf(unknown));
    expect((await open()).items).toEqual([listed(known.body), listed(unknown.body)]);
  });

  it('adds the member when they accept, and announces it then', async () => {
    const { body } = await invite(person.email.toUpperCase(), 'owner');
    expect(await projectEvents(service, project)).toHaveLength(1);
    const [mine] = (await received()).filter((item: { id: string }) => item.id === body.id);
    const { email: _email, ...shared } = listed(body);
    expect(mine).toEqual({ ...shared, project_name: 'Site', invited_by: OWNER.email });

    const accepted = await answer(body.id, 'accept');
    expect([accepted.status, accepted.body]).toMatchObject([200, { id: project, name: 'Site', role: 'owner' }]);
    const told = (await projectEvents(service, project)).at(-1);
    expect(told?.members).toContainEqual({ account_id: person.id, role: 'owner' });
    expect([(await open()).items, (await answer(body.id, 'accept')).status]).toEqual([[], 404]);
  });

  it('can be declined, withdrawn or left to expire, without a membership', async () => {
    const decline = (await invite(person.email)).body.id;
    expect((await answer(decline, 'decline')).status).toBe(204);
    const withdrawn = (await invite(person.email)).body.id;
    expect((await withdraw(withdrawn)).status).toBe(204);
    const expired = (await invite(person.email)).body.id;
    await service.query('update member_invitation set expires_at = now() where id = $1', [expired]);
    for (const id of [decline, withdrawn, expired, randomUUID(), 'not-a-uuid']) {
      const statuses = [await answer(id, 'accept'), await answer(id, 'decline'), await withdraw(id)];
      expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
    expect([(await open()).items, await projectEvents(service, project)]).toEqual([[], [expect.anything()]]);
  });

  it('can be answered by the account of the email alone', async () => {
    const { id } = (await invite(person.email)).body;
    const stranger = await newPerson(service, token);
    expect(await received(stranger.token)).toEqual([]);
    for (const how of ['accept', 'decline'] as const) {
      expect((await answer(id, how, stranger.token)).status).toBe(404);
      expect((await answer(id, how, token)).status).toBe(404);
    }
    expect((await answer(id, 'accept')).status).toBe(200);
  });

  it('waits for an account that is created later', async () => {
    const email = `${randomUUID()}@example.com`;
    const { id } = (await invite(email)).body;
    const { body } = await service.call('POST', 'invitations', { token, json: { email } });
    const json = { token: body.token, password: 'a password of twelve' };
    const session = (await service.call('POST', 'invitations/accept', { json })).body.token;
    expect(await received(session)).toMatchObject([{ id, project_id: project }]);
    expect((await answer(id, 'accept', session)).status).toBe(200);
  });

  it('again replaces the earlier invitation, and happens once for each Idempotency-Key', async () => {
    const first = (await invite(person.email)).body;
    const headers = { 'idempotency-key': randomUUID() };
    const second = await invite(person.email, 'owner', token, headers);
    expect((await answer(first.id, 'accept')).status).toBe(404);
    expect((await open()).items).toEqual([listed(second.body)]);
    expect((await invite(person.email, 'owner', token, headers)).body).toEqual(second.body);
  });

  it('is for owners, and an owner’s open invitations end with their role', async () => {
    const owner = await newPerson(service, token, { project_id: project, role: 'owner' });
    const editor = await newPerson(service, token, { project_id: project, role: 'editor' });
    const { id } = (await invite(person.email, 'owner', owner.token)).body;
    const tried = [await invite(person.email, 'editor', editor.token), await withdraw(id, editor.token)];
    expect(tried.map(({ status }) => status)).toEqual([403, 403]);
    expect((await open(editor.token)).status).toBe(403);
    const demoted = { token, json: { role: 'editor' } };
    await service.call('PATCH', `projects/${project}/members/${owner.id}`, demoted);
    expect((await answer(id, 'accept')).status).toBe(404);
  });

  it('stops at 100 members and open invitations together, even with concurrent acceptances', async () => {
    await service.query(
      `insert into member_invitation (id, project_id, email, role, invited_by, created_at, expires_at)
       select gen_random_uuid(), $1, 'open-' || n || '@example.com', 'editor', (select id from account limit 1), now(),
         now() + interval '1 day' from generate_series(1, 98) n`,
      [project],
    );
    const { id } = (await invite(person.email)).body;
    expect((await invite('one-more@example.com')).status).toBe(409);
    expect((await invite('open-1@example.com')).status).toBe(201);
    await service.query(
      `with made as (insert into account (id, email, password_hash)
         select gen_random_uuid(), gen_random_uuid() || '@example.com', 'x' from generate_series(1, 99) returning id)
       insert into project_member select $1, id, 'editor' from made`,
      [project],
    );
    expect((await answer(id, 'accept')).status).toBe(409);
  });
});
