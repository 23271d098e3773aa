import { randomUUID } from 'node:crypto';
import { startOwner, ownerOfNewProject, type Owner } from '../../test/owner.ts';
import { newPerson, type Person } from '../../test/people.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
let person: Person;
let theirs: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
  person = await newPerson(service, owner.token);
  theirs = await ownerOfNewProject(service, person.token);
});
afterAll(() => service?.[Symbol.asyncDispose]());

interface Shown {
  readonly id: string;
  readonly name: string;
}
const list = async (query = '', token = owner.token) => {
  const { status, body } = await service.call('GET', `tenants${query}`, { token });
  return { status, body: body as { items: Shown[]; next_cursor: string | null } };
};
const idsOf = async (query: string) => (await list(query)).body.items.map(({ id }) => id);

describe('the list of all projects', () => {
  it('has what each project uses, and who owns it', async () => {
    await theirs.publish(await theirs.newBlog());
    await theirs.newBlog();
    await service.query(
      `insert into image (id, project_id, sha256, given_sha256, ext, width, height, bytes, source, created_by, created_at,
         state, use_checked_at) values (gen_random_uuid(), $1, 'a', 'a', 'png', 1, 1, 2000, 'upload', $1, now(),
         'stored', now())`,
      [theirs.project],
    );
    const { body } = await list(`?ids=${theirs.project}`);
    expect(body).toEqual({
      items: [
        {
          id: theirs.project,
          name: 'Site',
          site_url: 'https://site.example',
          created_at: expect.stringMatching(/Z$/) as string,
          owners: [person.email],
          posts: 2,
          storage_bytes: 2_000,
          publishes: 1,
          suspension: null,
          quotas: { posts: null, publishes_per_day: null, storage_bytes: null },
        },
      ],
      next_cursor: null,
    });
  });

  it('is sorted by what there is the most of, or the newest first', async () => {
    expect((await idsOf('?sort=storage'))[0]).toBe(theirs.project);
    expect((await idsOf('?sort=publishes'))[0]).toBe(theirs.project);
    expect((await idsOf('?sort=posts'))[0]).toBe(theirs.project);
    const newest = await owner.inNewProject();
    expect((await idsOf(''))[0]).toBe(newest.project);
  });

  it('is searched by name, by an owner’s email and by id, with every character as it is', async () => {
    await theirs.patch('/', { name: '100%_Tea\\' });
    expect(await idsOf(`?q=${encodeURIComponent('0%_tea\\')}`)).toEqual([theirs.project]);
    expect(await idsOf(`?q=${person.email.slice(0, 20).toUpperCase()}`)).toEqual([theirs.project]);
    expect(await idsOf(`?q=${theirs.project.toUpperCase()}`)).toEqual([theirs.project]);
    expect(await idsOf('?q=nothing%20like%20it')).toEqual([]);
  });

  it('is for the administrator only', async () => {
    expect((await list('', person.token)).status).toBe(403);
    expect((await service.call('GET', 'operator/content-service/parked-events', { token: person.token })).status).toBe(
      403,
    );
    const parked = await service.call('GET', 'operator/content-service/parked-events', { token: owner.token });
    expect(parked).toMatchObject({ status: 200, body: { items: [] } });
    expect((await list('?sort=loudest')).status).toBe(400);
    expect((await list(`?ids=${Array.from({ length: 101 }, () => randomUUID()).join(',')}`)).status).toBe(400);
  });

  it('is paged through 100,000 projects by each order', async () => {
    await service.query(
      `insert into project (id, name, event_number, kept_blogs) select gen_random_uuid(), 'Tenant ' || n, 1, n % 500
       from generate_series(1, 100000) n`,
    );
    for (const sort of ['newest', 'posts', 'publishes', 'storage']) {
      const first = await list(`?sort=${sort}&limit=100`);
      expect(first.body.items).toHaveLength(100);
      const second = await list(`?sort=${sort}&limit=100&cursor=${first.body.next_cursor}`);
      const ids = new Set([...first.body.items, ...second.body.items].map(({ id }) => id));
      expect(ids.size).toBe(200);
    }
    expect((await list('?q=tenant%2099999')).body.items).toMatchObject([{ name: 'Tenant 99999' }]);
    const last = Buffer.from('99990').toString('base64url');
    expect((await list(`?cursor=${last}&limit=5`)).body.items).toHaveLength(5);
  });
});
