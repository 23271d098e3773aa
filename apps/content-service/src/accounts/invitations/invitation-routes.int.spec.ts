import { randomUUID } from 'node:crypto';
import { joinProject, newPerson, projectEvents } from '../../../test/people.ts';
import { OWNER, startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let token: string;
let project: string;
beforeAll(async () => {
  service = await startRunningService();
  token = await service.signIn();
  project = (await service.call('POST', 'projects', { token, json: { name: 'Site' } })).body.id;
});
afterAll(() => service[Symbol.asyncDispose]());

const PASSWORD = 'a password of twelve';
const newEmail = () => `${randomUUID()}@example.com`;
const invite = (json: object, headers: Record<string, string> = {}) =>
  service.call('POST', 'invitations', { token, json, headers });
const accept = (invitation: string, password = PASSWORD) =>
  service.call('POST', 'invitations/accept', { json: { token: invitation, password } });
const listed = async () => (await service.call('GET', 'invitations?limit=100', { token })).body.items;

describe('an invitation', () => {
  it('is shown with its token once, listed without, and lasts seven days', async () => {
    const email = newEmail();
    const { status, body, headers } = await invite({ email: email.toUpperCase() });
    expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
    const { token: secret, is_emailed: isEmailed, ...shown } = body;
    expect(isEmailed).toBe(false);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(shown).toMatchObject({ email, project_id: null, role: null });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(7 * 86_400_000);
    expect(await listed()).toContainEqual(shown);
  });

  it('makes an account that is signed in, once', async () => {
    const email = newEmail();
    const { body } = await invite({ email });
    const accepted = await accept(body.token);
    expect(accepted.status).toBe(201);
    expect(accepted.headers['cache-control']).toBe('no-store');
    expect(accepted.body.account).toMatchObject({ email, is_administrator: false });
    expect((await service.call('GET', 'session', { token: accepted.body.token })).body.account).toEqual(
      accepted.body.account,
    );
    const again = await accept(body.token);
    expect([again.status, again.body.errors[0].field]).toEqual([422, 'token']);
    expect(await listed()).not.toContainEqual(expect.objectContaining({ email }));
  });

  it.each(['owner', 'editor'] as const)('to a project makes its %s, which is announced', async (role) => {
    const person = await newPerson(service, token, { project_id: project, role });
    const shown = await service.call('GET', `projects/${project}`, { token: person.token });
    expect(shown.body).toMatchObject({ id: project, role });
    expect((await projectEvents(service, project)).at(-1)?.members).toContainEqual({ account_id: person.id, role });
  });

  it('accepted 5 times at the same time makes one account and one session', async () => {
    const { body } = await invite({ email: newEmail(), project_id: project, role: 'editor' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(body.token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
  });

  it('for an email that has an account is 409', async () => {
    const answer = await invite({ email: OWNER.email.toUpperCase() });
    expect([answer.status, answer.body.detail]).toEqual([
      409,
      'This email address already has an account. Add it to the project as a member instead.',
    ]);
  });

  it('cannot be accepted once the email has an account', async () => {
    const email = newEmail();
    const { body } = await invite({ email });
    await service.query(`insert into account (id, email, password_hash) values (gen_random_uuid(), $1, 'x')`, [email]);
    expect((await accept(body.token)).status).toBe(409);
  });

  it('replaces an earlier one for the same email', async () => {
    const email = newEmail();
    const [first, second] = [await invite({ email }), await invite({ email, project_id: project, role: 'editor' })];
    expect((await accept(first.body.token)).status).toBe(422);
    expect((await listed()).filter((item: { email: string }) => item.email === email)).toHaveLength(1);
    expect((await accept(second.body.token)).status).toBe(201);
  });

  it('that is unknown, expired or withdrawn cannot be accepted, and the answer does not tell which', async () => {
    const [expired, removed] = [(await invite({ email: newEmail() })).body, (await invite({ email: newEmail() })).body];
    await service.query('update invitation set expires_at = now() where id = $1', [expired.id]);
    expect((await service.call('DELETE', `invitations/${removed.id}`, { token })).status).toBe(204);
    const answers = [await accept(expired.token), await accept(removed.token), await accept('unknown')];
    for (const { status, body } of answers) expect([status, body.errors[0].field]).toEqual([422, 'token']);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await listed()).not.toContainEqual(expect.objectContaining({ id: expired.id }));
    for (const id of [expired.id, removed.id, randomUUID(), 'not-a-uuid']) {
      expect((await service.call('DELETE', `invitations/${id}`, { token })).status).toBe(404);
    }
  });

  it('names a project and a role or neither, and a project that the administrator is an owner of', async () => {
    const email = newEmail();
    expect((await invite({ email, project_id: project })).status).toBe(422);
    expect((await invite({ email, role: 'owner' })).status).toBe(422);
    expect((await invite({ email, project_id: project, role: 'reader' })).status).toBe(422);
    expect((await invite({ email: 'nobody' })).status).toBe(422);
    expect((await invite({ email, project_id: randomUUID(), role: 'owner' })).status).toBe(404);

    const person = await newPerson(service, token);
    const theirs = await service.call('POST', 'projects', { token: person.token, json: { name: 'Theirs' } });
    const toTheirs = { email, project_id: theirs.body.id, role: 'editor' };
    expect((await invite(toTheirs)).status).toBe(404);
    const membership = { project_id: theirs.body.id, role: 'editor' } as const;
    await joinProject(service, person.token, membership, { email: OWNER.email, token });
    expect((await invite(toTheirs)).status).toBe(404);
  });

  it('to a project ends with the administrator’s right to it; others stay', async () => {
    const { id } = (await service.call('POST', 'projects', { token, json: { name: 'Given away' } })).body;
    const owner = await newPerson(service, token, { project_id: id, role: 'owner' });
    const toProject = (await invite({ email: newEmail(), project_id: id, role: 'owner' })).body;
    const toNone = (await invite({ email: newEmail() })).body;
    const me = (await service.call('GET', 'session', { token })).body.account.id;
    const demoted = { token: owner.token, json: { role: 'editor' } };
    expect((await service.call('PATCH', `projects/${id}/members/${me}`, demoted)).status).toBe(200);
    expect((await accept(toProject.token)).status).toBe(422);
    expect((await accept(toNone.token)).status).toBe(201);
  });

  it('to a project with 100 members is 409, and can be accepted once one has left', async () => {
    const { id } = (await service.call('POST', 'projects', { token, json: { name: 'Full' } })).body;
    const { body } = await invite({ email: newEmail(), project_id: id, role: 'editor' });
    await service.query(
      `with made as (insert into account (id, email, password_hash)
         select gen_random_uuid(), 'full-' || n || '@example.com', 'x' from generate_series(1, 99) n returning id)
       insert into project_member select $1, id, 'editor' from made`,
      [id],
    );
    expect((await accept(body.token)).status).toBe(409);
    await service.query(
      `delete from project_member where project_id = $1 and account_id = (select id from account where email = 'full-1@example.com')`,
      [id],
    );
    expect((await accept(body.token)).status).toBe(201);
  });

  it('repeated with its Idempotency-Key is one invitation, whose token is shown the first time only', async () => {
    const json = { email: newEmail() };
    const headers = { 'idempotency-key': randomUUID() };
    const [first, again] = [await invite(json, headers), await invite(json, headers)];
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual({ ...first.body, token: null });
    expect((await accept(first.body.token)).status).toBe(201);
  });

  it('is for the administrator to create, list and withdraw', async () => {
    const person = await newPerson(service, token);
    const { id } = (await invite({ email: newEmail() })).body;
    for (const [method, path] of [
      ['GET', 'invitations'],
      ['POST', 'invitations'],
      ['DELETE', `invitations/${id}`],
    ] as const) {
      const json = method === 'POST' ? { json: { email: newEmail() } } : {};
      expect((await service.call(method, path, { token: person.token, ...json })).status).toBe(403);
      expect((await service.call(method, path, json)).status).toBe(401);
    }
  });

  it('needs a password of 12 characters, and is not used up by one that is too short', async () => {
    const { body } = await invite({ email: newEmail() });
    expect((await accept(body.token, 'a'.repeat(11))).status).toBe(422);
    expect((await accept(body.token, 'a'.repeat(12))).status).toBe(201);
  });

  it('is limited to 1,000, at which one can still be replaced', async () => {
    await service.query('delete from invitation');
    await service.query(
      `insert into invitation (id, email, created_at, expires_at)
       select gen_random_uuid(), 'open-' || n || '@example.com', now(), now() + interval '1 day' from generate_series(1, 999) n`,
    );
    await service.query(
      `insert into invitation (id, email, created_at, expires_at)
       values (gen_random_uuid(), 'expired@example.com', now(), now())`,
    );
    expect((await invite({ email: newEmail() })).status).toBe(201);
    expect((await invite({ email: newEmail() })).status).toBe(409);
    expect((await invite({ email: 'open-1@example.com' })).status).toBe(201);
  });
});
