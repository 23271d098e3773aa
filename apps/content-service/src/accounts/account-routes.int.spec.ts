import { randomUUID } from 'node:crypto';
import { joinProject, newPerson, projectEvents, signInAs } from '../../test/people.ts';
import { OWNER, startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let administrator: string;
beforeAll(async () => {
  service = await startRunningService();
  administrator = await service.signIn();
});
afterAll(() => service[Symbol.asyncDispose]());

const remove = (id: string, token = administrator) => service.call('DELETE', `accounts/${id}`, { token });
const newProject = async (token = administrator): Promise<string> =>
  (await service.call('POST', 'projects', { token, json: { name: 'Site' } })).body.id;

describe('accounts', () => {
  it('are listed to the administrator in order of creation, page by page', async () => {
    const people = [];
    for (let count = 0; count < 3; count += 1) people.push(await newPerson(service, administrator));
    const seen: { id: string; email: string; is_administrator: boolean }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await service.call('GET', `accounts?limit=2${query}`, { token: administrator });
      seen.push(...body.items);
      cursor = body.next_cursor;
    }
    expect(seen.map(({ email }) => email)).toEqual([OWNER.email, ...people.map(({ email }) => email)]);
    expect(seen.map(({ is_administrator: is }) => is)).toEqual([true, false, false, false]);
    expect(seen[0]).toEqual({ ...seen[0], created_at: expect.stringMatching(/Z$/) });
    expect(JSON.stringify(seen)).not.toContain('argon2');
    for (const position of ['nonsense', `1_${'-'.repeat(36)}`, `1_${'a'.repeat(36)}`]) {
      const cursor = Buffer.from(position).toString('base64url');
      expect((await service.call('GET', `accounts?cursor=${cursor}`, { token: administrator })).status).toBe(400);
    }
  });

  it('are for the administrator only', async () => {
    const person = await newPerson(service, administrator);
    for (const answer of [
      await service.call('GET', 'accounts', { token: person.token }),
      await remove(person.id, person.token),
    ]) {
      expect([answer.status, answer.body.detail]).toEqual([403, 'Only the administrator can do this.']);
    }
  });
});

describe('a deleted account', () => {
  it('loses its sessions and memberships immediately, and each project announces it', async () => {
    const projects = [await newProject(), await newProject()];
    const person = await newPerson(service, administrator, { project_id: projects[0] ?? '', role: 'owner' });
    await joinProject(service, administrator, { project_id: projects[1] ?? '', role: 'editor' }, person);
    expect((await remove(person.id)).status).toBe(204);
    expect((await service.call('GET', `projects/${projects[0]}`, { token: person.token })).status).toBe(401);
    const refresh = { json: { refresh_token: person.refreshToken } };
    expect((await service.call('POST', 'session/refresh', refresh)).status).toBe(401);
    expect((await signInAs(service, person)).status).toBe(401);
    for (const project of projects) {
      const events = await projectEvents(service, project);
      expect(events.map((event) => event.project_event_number)).toEqual(events.map((_, index) => index + 1));
      expect(events.at(-1)?.members.map(({ account_id: id }) => id)).not.toContain(person.id);
      expect(events.at(-2)?.members.map(({ account_id: id }) => id)).toContain(person.id);
    }
    expect((await remove(person.id)).status).toBe(404);
  });

  it('can be invited again, as another account', async () => {
    const person = await newPerson(service, administrator);
    await remove(person.id);
    const json = { email: person.email };
    const invited = await service.call('POST', 'invitations', { token: administrator, json });
    const accept = { json: { token: invited.body.token, password: person.password } };
    const { body } = await service.call('POST', 'invitations/accept', accept);
    expect(body.account.id).not.toBe(person.id);
  });

  it('is never the administrator, nor the only owner of a project', async () => {
    const me = (await service.call('GET', 'session', { token: administrator })).body.account;
    expect((await remove(me.id)).status).toBe(409);

    const person = await newPerson(service, administrator);
    const project = await newProject(person.token);
    const refused = await remove(person.id);
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining('the only owner of 1 project'),
    ]);
    const membership = { project_id: project, role: 'editor' } as const;
    await joinProject(service, person.token, membership, { email: OWNER.email, token: administrator });
    expect((await remove(person.id)).status).toBe(409);
    const promote = { token: person.token, json: { role: 'owner' } };
    await service.call('PATCH', `projects/${project}/members/${me.id}`, promote);
    expect((await remove(person.id)).status).toBe(204);
  });

  it('of the only owner of a deleted project can be deleted', async () => {
    const person = await newPerson(service, administrator);
    const project = await newProject(person.token);
    await service.call('DELETE', `projects/${project}`, { token: person.token });
    expect((await remove(person.id)).status).toBe(204);
  });

  it('never leaves a project without an owner, even if its two owners are deleted at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await newPerson(service, administrator);
      const project = await newProject(one.token);
      const other = await newPerson(service, administrator);
      await joinProject(service, one.token, { project_id: project, role: 'owner' }, other);
      const answers = await Promise.all([remove(one.id), remove(other.id)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    }
  });

  it('and one that becomes a member at the same time do not deadlock', async () => {
    const project = await newProject();
    for (let round = 0; round < 5; round += 1) {
      const person = await newPerson(service, administrator);
      const json = { email: person.email, role: 'editor' };
      const { id } = (await service.call('POST', `projects/${project}/members`, { token: administrator, json })).body;
      const [joined, removed] = await Promise.all([
        service.call('POST', `account/invitations/${id}/accept`, { token: person.token }),
        remove(person.id),
      ]);
      expect(removed.status).toBe(204);
      expect([200, 401, 404]).toContain(joined.status);
      const { members } = (await projectEvents(service, project)).at(-1) ?? { members: [] };
      expect(members.map(({ account_id: id }) => id)).not.toContain(person.id);
    }
  });

  it('is 404 when there is none', async () => {
    for (const id of [randomUUID(), 'not-a-uuid']) expect((await remove(id)).status).toBe(404);
  });
});
