import { randomUUID } from 'node:crypto';
import { joinProject, newPerson, projectEvents, type Person } from '../../test/people.ts';
import { OWNER, startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let token: string;
let me: string;
let project: string;
beforeAll(async () => {
  service = await startRunningService();
  token = await service.signIn();
  me = (await service.call('GET', 'session', { token })).body.account.id;
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  project = (await service.call('POST', 'projects', { token, json: { name: 'Site' } })).body.id;
});

const members = (of = project) => `projects/${of}/members`;
const list = async (as = token) => (await service.call('GET', members(), { token: as })).body.items;
const add = (json: object, as = token) => service.call('POST', members(), { token: as, json });
const join = (person: Pick<Person, 'email' | 'token'>, role: 'owner' | 'editor', as = token) =>
  joinProject(service, as, { project_id: project, role }, person);
const change = (id: string, role: string, as = token) =>
  service.call('PATCH', `${members()}/${id}`, { token: as, json: { role } });
const remove = (id: string, as = token) => service.call('DELETE', `${members()}/${id}`, { token: as });
const newMember = (role: 'owner' | 'editor'): Promise<Person> =>
  newPerson(service, token, { project_id: project, role });
const toldRoles = async () =>
  Object.fromEntries(
    (await projectEvents(service, project)).at(-1)?.members.map(({ account_id: id, role }) => [id, role]) ?? [],
  );
const fill = (count: number) =>
  service.query(
    `with made as (insert into account (id, email, password_hash)
       select gen_random_uuid(), gen_random_uuid() || '@example.com', 'x' from generate_series(1, $2) returning id)
     insert into project_member select $1, id, 'editor' from made`,
    [project, count],
  );

describe('members of a project', () => {
  it('are listed, changed and removed, and each change is announced', async () => {
    const person = await newPerson(service, token);
    await join(person, 'editor');
    const shown = { account_id: person.id, email: person.email, role: 'editor' };
    expect(await list()).toContainEqual(shown);
    expect(await list()).toContainEqual({ account_id: me, email: OWNER.email, role: 'owner' });
    expect(await toldRoles()).toEqual({ [me]: 'owner', [person.id]: 'editor' });

    expect((await change(person.id, 'owner')).body).toEqual({ ...shown, role: 'owner' });
    expect(await toldRoles()).toEqual({ [me]: 'owner', [person.id]: 'owner' });

    expect((await remove(person.id)).status).toBe(204);
    expect(await toldRoles()).toEqual({ [me]: 'owner' });
    const numbers = (await projectEvents(service, project)).map((event) => event.project_event_number);
    expect(numbers).toEqual([1, 2, 3, 4]);
  });

  it('have access from the moment they accept until the moment they are removed', async () => {
    const person = await newPerson(service, token);
    const see = async () => (await service.call('GET', `projects/${project}`, { token: person.token })).status;
    const { id } = (await add({ email: person.email, role: 'editor' })).body;
    expect(await see()).toBe(404);
    await service.call('POST', `account/invitations/${id}/accept`, { token: person.token });
    expect(await see()).toBe(200);
    await remove(person.id);
    expect(await see()).toBe(404);
  });

  it('lose and get rights with their role immediately', async () => {
    const person = await newMember('editor');
    const rename = async () =>
      (await service.call('PATCH', `projects/${project}`, { token: person.token, json: { name: randomUUID() } }))
        .status;
    expect(await rename()).toBe(403);
    await change(person.id, 'owner');
    expect(await rename()).toBe(200);
    await change(person.id, 'editor');
    expect(await rename()).toBe(403);
  });

  it('cannot be invited if they are members, with an invalid email, or in an unknown role', async () => {
    expect((await add({ email: OWNER.email.toUpperCase(), role: 'editor' })).status).toBe(409);
    expect((await add({ email: OWNER.email, role: 'reader' })).status).toBe(422);
    expect((await add({ email: 'nobody', role: 'editor' })).status).toBe(422);
    expect(await projectEvents(service, project)).toHaveLength(1);
  });

  it('that get their current role are not announced', async () => {
    expect((await change(me, 'owner')).status).toBe(200);
    expect(await projectEvents(service, project)).toHaveLength(1);
  });

  it('are managed by owners; an editor sees them and may leave', async () => {
    const [editor, other] = [await newMember('editor'), await newMember('editor')];
    expect(await list(editor.token)).toHaveLength(3);
    const answers = [
      await add({ email: OWNER.email, role: 'editor' }, editor.token),
      await change(editor.id, 'owner', editor.token),
      await change(me, 'editor', editor.token),
      await remove(other.id, editor.token),
      await remove(me, editor.token),
      await remove(randomUUID(), editor.token),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect((await remove(editor.id, editor.token)).status).toBe(204);
    expect((await service.call('GET', members(), { token: editor.token })).status).toBe(404);
  });

  it('of another project, or unknown, are 404', async () => {
    const stranger = await newPerson(service, token);
    for (const id of [stranger.id, randomUUID(), 'not-a-uuid']) {
      expect([(await change(id, 'owner')).status, (await remove(id)).status]).toEqual([404, 404]);
    }
  });

  it('are paged with a cursor', async () => {
    await fill(4);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await service.call('GET', `${members()}?limit=2${query}`, { token });
      seen.push(...body.items.map((item: { account_id: string }) => item.account_id));
      cursor = body.next_cursor;
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
    for (const cursor of ['nonsense', Buffer.from('7').toString('base64url')]) {
      expect((await service.call('GET', `${members()}?cursor=${cursor}`, { token })).status).toBe(400);
    }
  });
});

describe('the last owner of a project', () => {
  it('can neither be made an editor nor leave', async () => {
    await newMember('editor');
    for (const answer of [await change(me, 'editor'), await remove(me)]) {
      expect([answer.status, answer.body.detail]).toEqual([
        409,
        'This member is the only owner. Make another member an owner first.',
      ]);
    }
    const other = await newMember('owner');
    expect((await remove(me)).status).toBe(204);
    expect((await remove(other.id, other.token)).status).toBe(409);
  });

  it('stays, when two owners leave at the same time', async () => {
    const other = await newMember('owner');
    const answers = await Promise.all([remove(me), remove(other.id, other.token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it('stays, when two owners make each other editors at the same time', async () => {
    const other = await newMember('owner');
    const answers = await Promise.all([change(other.id, 'editor'), change(me, 'editor', other.token)]);
    const statuses = answers.map(({ status }) => status).sort();
    // The second is refused for being no owner any more, or because the other is the only one.
    expect(statuses[0]).toBe(200);
    expect([403, 404, 409]).toContain(statuses[1]);
    expect(Object.values(await toldRoles()).sort()).toEqual(['editor', 'owner']);
  });

  it('stays, when one leaves and the other’s account is deleted at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await newMember('owner');
      const again = (await list()).find((item: { account_id: string }) => item.account_id === me);
      if (!again) await join({ email: OWNER.email, token }, 'owner', other.token);
      const [left, deleted] = await Promise.all([
        remove(me),
        service.call('DELETE', `accounts/${other.id}`, { token }),
      ]);
      expect([left.status, deleted.status].sort()).toEqual([204, 409]);
      const owners = await service.query(`select 1 from project_member where project_id = $1 and role = 'owner'`, [
        project,
      ]);
      expect(owners).toHaveLength(1);
      project = (await service.call('POST', 'projects', { token, json: { name: 'Site' } })).body.id;
    }
  });
});
