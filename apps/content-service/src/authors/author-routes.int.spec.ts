import { randomUUID } from 'node:crypto';
import { eachInNewProject, type Owner } from '../../test/owner.ts';
import { joinProject, newPerson, projectEvents } from '../../test/people.ts';
import type { RunningService } from '../../test/running-service.ts';
import { MAX_AUTHORS } from './author-limits.ts';

let service: RunningService;
let owner: Owner;
eachInNewProject((ground) => ({ service, owner } = ground));

const create = (json: object) => owner.post('/authors', json);
const change = (id: string, json: object) => owner.patch(`/authors/${id}`, json);
const announced = async () =>
  (await projectEvents(service, owner.project)).at(-1) as unknown as {
    authors: { slug: string; former_slugs: string[] }[];
  };

describe('authors of a project', () => {
  it('are created, changed and deleted, and each change is announced', async () => {
    const made = await create({ name: 'Ada Lovelace', bio: 'Tea [INTERNAL:x] since 1998.' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ slug: 'ada-lovelace', links: [], same_as: [], account_id: null });
    expect(JSON.stringify(made.body)).not.toContain('INTERNAL');
    expect((await announced()).authors).toMatchObject([{ slug: 'ada-lovelace' }]);
    expect((await change(made.body.id, { slug: 'ada-king' })).body).toMatchObject({ former_slugs: ['ada-lovelace'] });
    expect((await owner.get('/authors')).body.items).toHaveLength(1);
    expect((await owner.remove(`/authors/${made.body.id}`)).status).toBe(204);
    expect((await announced()).authors).toEqual([]);
  });

  it.each([
    ['\u200b \u2800', 'must have a visible character'],
    ['[INTERNAL:tea]', 'must have text besides link placeholders, which are not published'],
  ])('have a name that readers see: not %j', async (name, message) => {
    const refused = await create({ name });
    expect([refused.status, refused.body.errors]).toEqual([422, [{ field: 'name', message }]]);
  });

  it('get a numbered slug where another author has or had it, and a given one is refused', async () => {
    const { body } = await create({ name: 'Ada' });
    await change(body.id, { slug: 'ada-king' });
    expect((await create({ name: 'Ada' })).body.slug).toBe('ada-2');
    expect((await create({ name: 'Ada', slug: 'ada' })).status).toBe(409);
  });

  it('can be members, one author each, and stay when the member leaves', async () => {
    const { project, token } = owner;
    const person = await newPerson(service, token);
    expect((await create({ name: 'Bo', account_id: person.id })).status).toBe(422);
    await joinProject(service, token, { project_id: project, role: 'editor' }, person);
    const made = await service.call('POST', `projects/${project}/authors`, {
      token: person.token,
      json: { name: 'Bo', account_id: person.id },
    });
    expect(made.body.account_id).toBe(person.id);
    expect((await create({ name: 'Bo', account_id: person.id })).status).toBe(409);
    await owner.remove(`/members/${person.id}`);
    const { body } = await owner.get(`/authors/${made.body.id}`);
    expect(body.account_id).toBeNull();
  });

  it('are at most 200, and take a bounded part of each event', async () => {
    const put = (count: number, bio: string) =>
      service.query(
        `insert into author (id, project_id, slug, name, bio, created_at)
         select gen_random_uuid(), $1, gen_random_uuid()::text, 'A', $3, now() from generate_series(1, $2)`,
        [owner.project, count, bio],
      );
    await put(MAX_AUTHORS - 1, '');
    expect((await create({ name: 'Last' })).status).toBe(201);
    expect((await create({ name: 'One more' })).status).toBe(409);
    await service.query('update author set bio = repeat($2, 2000) where project_id = $1', [owner.project, 'x']);
    const { body } = await owner.get('/authors');
    expect((await change(body.items[0].id, { name: 'Bo' })).status).toBe(409);
    expect((await change(randomUUID(), { name: 'Bo' })).status).toBe(404);
  });
});
