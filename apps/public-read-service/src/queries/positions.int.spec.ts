import type { PublicBlogChanges } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createCopy, listWhole } from '../../test/changes-copy.ts';
import { blogPublished, projectSaved } from '../../test/events.ts';
import { startRebuiltService } from '../../test/rebuilt-service.ts';
import { eachInNewProject, logger, PUBLIC, type TestProject, type TestService } from '../../test/test-service.ts';
import { CHANGES_KEPT_MS, createChangeLogKeeper } from '../projection/keep-change-log.ts';
import { formatPosition } from '../request/position.ts';

let service: TestService;
let project: TestProject;

eachInNewProject((ground) => ({ service, project } = ground));
beforeEach(async () => {
  await project.publish({ slug: 'first' });
});

const status = async (since: string) => (await project.get(`/blogs?since=${since}`)).statusCode;
const keeper = (now = () => new Date()) => createChangeLogKeeper({ store: service.changeLog, logger, now });
/** The service does rounds, too. */
const begin = () => eventually(async () => expect(await keeper().begin()).toBe(true));

async function execute(statement: string, ...values: unknown[]): Promise<void> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query(statement, values);
  await client.end();
}

async function follow() {
  const copy = createCopy(project);
  await copy.catchUp();
  return copy;
}

describe('a position', () => {
  it.each(['', '1', 'garbage', 'e30', Buffer.from('[1,2,3]').toString('base64url'), 'a'.repeat(5_000), '0%00'])(
    'that no answer gave is 400: %j',
    async (since) => {
      const { statusCode, body } = await project.get(`/blogs?since=${since}`);
      expect([statusCode, body]).toEqual([
        400,
        '{"detail":"`since` must be 0 or `next_since` from an earlier response."}',
      ]);
    },
  );

  it.each(['category=Tea', 'tag=tea', 'q=tea', 'offset=0'])('goes with no filter: %s is 400', async (parameter) => {
    expect((await project.get(`/blogs?since=0&${parameter}`)).statusCode).toBe(400);
  });

  it('of another project, of another rendering and of a version to come is gone', async () => {
    const { since } = await follow();
    const other = await service.createProject();
    const { statusCode, body } = await other.get(`/blogs?since=${since}`);
    expect([statusCode, body]).toEqual([
      410,
      '{"detail":"The position in `since` is too old. Start over with since=0."}',
    ]);
    const mine = { projectId: project.id, rendering: 1, version: String(Date.now() + 1e9) };
    expect(await status(formatPosition(mine))).toBe(410);
    expect(await status(formatPosition({ ...mine, version: '0' }))).toBe(410);
    expect(await status(formatPosition({ ...mine, rendering: 0 }))).toBe(410);
  });

  it('is no more than an address: what follows it answers 304 until something changes', async () => {
    const { since } = await follow();
    const { headers } = await project.get(`/blogs?since=${since}`);
    const again = await project.get(`/blogs?since=${since}`, { 'if-none-match': headers.etag! });
    expect(again.statusCode).toBe(304);
    await project.publish({ slug: 'second' });
    const changed = await project.get(`/blogs?since=${since}`, { 'if-none-match': headers.etag! });
    expect((JSON.parse(changed.body) as PublicBlogChanges).changes).toMatchObject([{ slug: 'second' }]);
    const everything = await project.read<PublicBlogChanges>('/blogs?since=0');
    expect(everything.changes).toHaveLength(2);
  });
});

describe('a new name of the project', () => {
  it('is none of its posts’ changes: positions stay, and nothing comes', async () => {
    const before = await follow();
    const saved = { project_id: project.id, project_event_number: 2, site_url: 'https://tea.example' };
    await service.applyProjects(projectSaved({ ...saved, name: 'Coffee site' }));
    expect(await before.catchUp()).toEqual([]);
    await project.publish({ slug: 'second' });
    expect(await before.catchUp()).toMatchObject([{ slug: 'second' }]);
  });
});

describe('changes that are older than they are kept', () => {
  const later = () => new Date(Date.now() + CHANGES_KEPT_MS + 1_000);

  it('are forgotten, and positions before them are gone; those after them stay, however old', async () => {
    const before = await follow();
    await project.publish({ slug: 'second' });
    await project.publish({ slug: 'third' });
    const after = await follow();
    const first = await project.read<PublicBlogChanges>(`/blogs?since=${before.since}&limit=1`);
    const batch = ['one', 'two'].map((slug) => blogPublished({ project_id: project.id, revision: { slug } }));
    await service.apply(...batch);
    const between = await project.read<PublicBlogChanges>(`/blogs?since=${after.since}&limit=1`);
    await keeper().forget();
    expect(await status(before.since)).toBe(200);
    expect(await status(between.next_since)).toBe(200);
    await after.catchUp();
    await keeper(later).forget();
    await project.publish({ slug: 'fourth' });
    expect(await status(before.since)).toBe(410);
    expect(await status(first.next_since)).toBe(410);
    // Of the last change that is forgotten it has half.
    expect(await status(between.next_since)).toBe(410);
    expect(await after.catchUp()).toMatchObject([{ slug: 'fourth' }]);
    expect(after.byId).toEqual(await listWhole(project));
  });
});

describe('what was changed without the log', () => {
  /** As an older release does while it runs beside this one. */
  const changeAsBefore = (id: string) =>
    execute(
      `WITH blog AS (UPDATE published_blog SET title = 'Changed' WHERE id = $1 RETURNING project_id)
       UPDATE project SET version = version + 1 WHERE id = (SELECT project_id FROM blog)`,
      id,
    );

  it('makes earlier positions gone, until the log is restarted', async () => {
    const id = await project.publish({ slug: 'second' });
    const before = await follow();
    await changeAsBefore(id);
    await project.publish({ slug: 'third' });
    expect(await status(before.since)).toBe(410);
    const unlogged = await follow();
    await project.publish({ slug: 'fourth' });
    expect(await status(unlogged.since)).toBe(410);
    await begin();
    expect(await status(before.since)).toBe(410);
    const fresh = await follow();
    await project.publish({ slug: 'fifth' });
    expect(await fresh.catchUp()).toMatchObject([{ slug: 'fifth' }]);
    expect(fresh.byId).toEqual(await listWhole(project));
  });

  it('has its links known then', async () => {
    await project.publish({ slug: 'linking', content: '<p>[INTERNAL:target]</p>' });
    await execute('DELETE FROM blog_link WHERE project_id = $1', project.id);
    await execute('UPDATE project SET links_known = NULL, logged_version = NULL WHERE id = $1', project.id);
    await begin();
    const copy = await follow();
    await project.publish({ slug: 'target' });
    expect(await copy.catchUp()).toMatchObject([{ slug: 'target' }, { slug: 'linking' }]);
  });

  it('does not count as logged when it happens while the log is begun', async () => {
    const id = await project.publish({ slug: 'second' });
    await execute('UPDATE project SET links_known = NULL WHERE id = $1', project.id);
    await service.changeLog.alone('begin', async (log) => {
      const version = (await log.begin(project.id))!;
      await changeAsBefore(id);
      expect(await log.finish(project.id, version)).toBe(false);
      await log.begin(project.id);
      expect(await log.finish(project.id, version)).toBe(false);
    });
    await begin();
    await service.changeLog.alone('begin', async (log) => expect(await log.begin(project.id)).toBeNull());
  });
});

describe('a deleted project', () => {
  it('leaves no changes and no links behind', async () => {
    await project.publish({ slug: 'linking', content: '<p>[INTERNAL:target]</p>' });
    await service.applyProjects({ event: 'project.deleted', project_id: project.id, project_event_number: 2 });
    const client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM blog_change WHERE project_id = $1) AS changes,
         (SELECT count(*)::int FROM blog_link WHERE project_id = $1) AS links`,
      [project.id],
    );
    await client.end();
    expect(rows).toEqual([{ changes: 0, links: 0 }]);
  });
});

describe('a rebuild of the read model', () => {
  it('makes earlier positions gone; later ones have every change, links included', async () => {
    await using world = await startRebuiltService();
    const id = randomUUID();
    await world.append(projectSaved({ project_id: id, site_url: 'https://tea.example' }));
    const linking = { slug: 'linking', content: '<p>[INTERNAL:target]</p>' };
    await world.append(blogPublished({ project_id: id, revision: linking }));
    const consuming = await world.consume();
    await eventually(() => world.untilConsumed());
    const { key } = (await world.service.keys.generate(id))!;
    const get = async (path: string) => world.service.request('GET', PUBLIC + path, { authorization: `Bearer ${key}` });
    const reader: Pick<TestProject, 'read'> = {
      async read<Body>(path: string) {
        const { statusCode, body } = await get(path);
        if (statusCode !== 200) throw new Error(`${statusCode} ${body}`);
        return JSON.parse(body) as Body;
      },
    };
    const before = createCopy(reader);
    await before.catchUp();

    await world.rebuild();
    await expect(before.catchUp()).rejects.toThrow('410');
    const own = createChangeLogKeeper({ store: world.service.changeLog, logger, now: () => new Date() });
    await eventually(async () => expect(await own.begin()).toBe(true));
    await expect(before.catchUp()).rejects.toThrow('410');
    const copy = createCopy(reader);
    await copy.catchUp();
    await world.append(blogPublished({ project_id: id, revision: { slug: 'target' } }));
    await eventually(async () => {
      await copy.catchUp();
      expect(copy.byId.size).toBe(2);
    });
    expect(copy.byId).toEqual(await listWhole(reader));
    await consuming.stop();
  });
});
