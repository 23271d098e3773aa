import type { EventEnvelope } from '@blog-content/event-log';
import type { BlogServedEvent, LifecycleEvent, ProjectEvent } from '@blog-content/payload-schemas';
import { createTestDatabase, eventually } from '@blog-content/testing';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { blogDeleted, blogPublished, blogUnpublished, projectSaved, received } from '../../test/events.ts';
import { openPools, type Database } from '../database/open-database.ts';
import { applyLifecycleEvents, type ApplyDependencies } from './apply-lifecycle-events.ts';
import { applyProjectEvents } from './apply-project-events.ts';
import { READ_MODEL_CHANNEL } from '../replicas/read-model-change.ts';
import { createProjectionStore, type ProjectionStore, type CommittedChange } from './projection-store.ts';

const servedAt = new Date('2026-03-02T10:00:01.000Z');
let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let database: Database;
let store: ProjectionStore;
let project_id: string;
let blog_id: string;

const now = () => servedAt;
let announced: EventEnvelope<BlogServedEvent>[] = [];
const dependencies: ApplyDependencies = {
  now,
  waitForReplicas: () => Promise.resolve(),
  announce: (events) => Promise.resolve(void announced.push(...events)),
};
const apply = (...events: LifecycleEvent[]) => applyLifecycleEvents(store, events.map(received), dependencies);
const applyProjects = (...events: ProjectEvent[]) => applyProjectEvents(store, events.map(received), now);
const publish = (number: number, given: Parameters<typeof blogPublished>[0] = {}) =>
  blogPublished({ blog_id, project_id, blog_event_number: number, ...given });
const unpublish = (number: number) => blogUnpublished({ blog_id, project_id, blog_event_number: number });
const blog = () => database.publishedBlog.findUnique({ where: { id: blog_id } });
const project = () => database.project.findUniqueOrThrow({ where: { id: project_id } });
const position = () => database.blogPosition.findUnique({ where: { blogId: blog_id } });
const served = () => announced.map(({ data }) => data.blog_event_number);

beforeAll(async () => {
  testDatabase = await createTestDatabase('public-read-service');
  ({ ownerDatabase: database, projectionPool: pool } = openPools(
    { databaseUrl: testDatabase.url, sessionUrl: testDatabase.url },
    5,
    () => undefined,
  ));
  store = createProjectionStore(pool);
});
afterAll(async () => {
  await database?.$disconnect();
  await pool?.end();
  await testDatabase?.drop();
});
beforeEach(() => {
  project_id = randomUUID();
  blog_id = randomUUID();
  announced = [];
});

describe('lifecycle events', () => {
  it('put a published blog into the read model, with the times the public API serves', async () => {
    const event = publish(1, {
      published_at: '2026-03-02T10:00:00.123Z',
      publication_began_at: '2026-03-01T09:00:00.456Z',
      revision: { slug: 'tea', categories: ['A', 'B'], content: '<p><a href="[INTERNAL:oolong]">Oolong</a></p>' },
    });
    expect(await apply(event)).toBe(1);
    expect(await blog()).toMatchObject({
      projectId: project_id,
      slug: 'tea',
      categories: ['A', 'B'],
      linkSlugs: ['oolong'],
      publishedAt: new Date('2026-03-01T09:00:00.456Z'),
      updatedAt: new Date('2026-03-02T10:00:00.123Z'),
    });
  });

  it('move a published blog to another publication date', async () => {
    await apply(publish(1, { publication_began_at: '2026-03-01T09:00:00.000Z' }));
    await apply(publish(2, { publication_began_at: '2025-08-08T10:00:00.000Z' }));
    expect(await blog()).toMatchObject({ publishedAt: new Date('2025-08-08T10:00:00.000Z') });
  });

  it('store texts unchanged, even with characters that are special in SQL, JSON or arrays', async () => {
    const texts = ["'", "''", '\\', "\\'", "'; DROP TABLE project; --", '"', '{}', '{"a"}', 'a,b', ' ', 'NULL', 'null'];
    texts.push('\n', '\t\u2028', '$1', '$&', '\\u0041', 'é🎉');
    const title = texts.join(' ');
    await apply(publish(1, { revision: { title, categories: texts, tags: texts, content: `<p>${title}</p>` } }));
    expect(await blog()).toMatchObject({ title, categories: texts, tags: texts, segments: [`<p>${title}</p>`] });
  });

  it('announce each event as served, with its id', async () => {
    const event = received(publish(7));
    await applyLifecycleEvents(store, [event], dependencies);
    expect(announced).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/) as string,
        topic: 'blog.served',
        type: 'blog.served',
        source: '/public-read-service',
        key: project_id,
        partitionKey: project_id,
        time: servedAt.toISOString(),
        data: {
          event: 'blog.served',
          project_id,
          blog_id,
          blog_event_number: 7,
          lifecycle_event_id: event.id,
          served_at: servedAt.toISOString(),
        },
      },
    ]);
  });

  it('change nothing when they come a second time, and are not announced again', async () => {
    const events = [publish(1), publish(2, { revision: { title: 'Newer' } })];
    await apply(...events);
    const [before, version] = [await blog(), (await project()).version];
    expect(await apply(...events)).toBe(0);
    expect(await blog()).toEqual(before);
    expect((await project()).version).toBe(version);
    expect(served()).toEqual([1, 2]);
  });

  it('that are already applied cost two round trips, including the commit', async () => {
    /** How much had been sent at each answer: a number for each round trip. */
    const sent = new Set<number>();
    pool.once('acquire', ({ connection }) => {
      const socket = connection.stream as Socket;
      socket.on('data', () => sent.add(socket.bytesWritten));
    });
    const subject = { projectIds: [project_id], blogIds: [blog_id] };
    await store.decideLifecycle(subject, () => Promise.resolve(null));
    expect(sent.size).toBe(2);
  });

  it('apply the rest of a batch that was applied in part before', async () => {
    await apply(publish(1));
    expect(await apply(publish(1), publish(2, { revision: { title: 'Second' } }))).toBe(1);
    expect(await blog()).toMatchObject({ title: 'Second' });
    expect(served()).toEqual([1, 2]);
  });

  it('remove a blog on unpublish and on delete', async () => {
    await apply(publish(1), unpublish(2));
    expect(await blog()).toBeNull();
    await apply(publish(3));
    expect(await blog()).not.toBeNull();
    await apply(blogDeleted({ blog_id, project_id, blog_event_number: 4 }));
    expect(await blog()).toBeNull();
    expect(served()).toEqual([1, 2, 3, 4]);
  });

  it('do not bring a blog back when a publish from before its unpublish comes late', async () => {
    await apply(publish(1));
    await apply(unpublish(3));
    expect(await apply(publish(2))).toBe(0);
    expect(await blog()).toBeNull();
    await apply(blogDeleted({ blog_id, project_id, blog_event_number: 4 }));
    expect(await apply(publish(1), publish(3))).toBe(0);
    expect(await blog()).toBeNull();
  });

  it('keep the newer of two that come in the wrong order', async () => {
    await apply(publish(5, { revision: { title: 'Five' } }), publish(4, { revision: { title: 'Four' } }));
    expect(await blog()).toMatchObject({ title: 'Five' });
  });

  it('apply an unpublish of a blog never seen, so that its older publish is known as such', async () => {
    expect(await apply(unpublish(2))).toBe(1);
    expect(await apply(publish(1))).toBe(0);
    expect(await blog()).toBeNull();
  });

  it('let two blogs exchange their slugs one after the other', async () => {
    const other = randomUUID();
    await apply(publish(1, { revision: { slug: 'a' } }), publish(1, { blog_id: other, revision: { slug: 'b' } }));
    await apply(publish(2, { revision: { slug: 'b' } }));
    await apply(publish(2, { blog_id: other, revision: { slug: 'a' } }));
    expect(await blog()).toMatchObject({ slug: 'b' });
    expect(await database.publishedBlog.findUnique({ where: { id: other } })).toMatchObject({ slug: 'a' });
  });

  it('are not blocked by text that PostgreSQL cannot store', async () => {
    await apply(
      publish(1, { revision: { title: 'A\0B', excerpt: 'half \ud83d', content: '<p>x\0y</p>', tags: ['\0t'] } }),
    );
    expect(await blog()).toMatchObject({ title: 'AB', excerpt: 'half \ufffd', tags: ['t'] });
  });

  it('apply a batch of many blogs of many projects atomically', async () => {
    const events = Array.from({ length: 100 }, (_, index) =>
      blogPublished({ project_id: index % 2 ? project_id : randomUUID(), revision: { slug: `s-${index}` } }),
    );
    expect(await apply(...events)).toBe(100);
    expect(await database.publishedBlog.count({ where: { projectId: project_id } })).toBe(50);
  });

  it('are announced only when every replica serves them', async () => {
    const events = [received(publish(1)), received(publish(2))];
    const waited: bigint[] = [];
    const waitForReplicas = async ({ epoch }: CommittedChange) => {
      waited.push(epoch);
      expect(await blog()).not.toBeNull();
      expect(served()).toEqual([]);
    };
    await applyLifecycleEvents(store, events, { ...dependencies, waitForReplicas });
    expect(waited).toEqual([(await database.readEpoch.findFirstOrThrow()).epoch]);
    expect(served()).toEqual([1, 2]);
    await applyLifecycleEvents(store, events, { ...dependencies, waitForReplicas });
    expect(waited).toHaveLength(1);
  });

  it('that were applied but not announced before a crash are announced when they come again, after waiting, too', async () => {
    const events = [received(publish(1)), received(publish(2))];
    const waitForReplicas = () => Promise.reject(new Error('killed'));
    await expect(applyLifecycleEvents(store, events, { ...dependencies, waitForReplicas })).rejects.toThrow('killed');
    const [before, { version }] = [await blog(), await project()];
    expect(before).not.toBeNull();
    expect(served()).toEqual([]);
    const waited: bigint[] = [];
    const again = [...events, received(publish(2))];
    const waiting = {
      ...dependencies,
      waitForReplicas: ({ epoch }: CommittedChange) => Promise.resolve(void waited.push(epoch)),
    };
    expect(await applyLifecycleEvents(store, again, waiting)).toBe(0);
    expect(waited).toEqual([(await database.readEpoch.findFirstOrThrow()).epoch]);
    expect(served()).toEqual([1, 2]);
    expect([await blog(), (await project()).version]).toEqual([before, version]);
    expect(await position()).toMatchObject({ eventNumber: 2, announcedNumber: null });
  });

  it('that cannot be announced come again, and uncertain ones are announced again under the same id', async () => {
    const events = [received(publish(1)), received(publish(2))];
    const announce: ApplyDependencies['announce'] = async (all) => {
      await dependencies.announce(all);
      throw new Error('the log is away');
    };
    await expect(applyLifecycleEvents(store, events, { ...dependencies, announce })).rejects.toThrow('away');
    expect(await position()).toMatchObject({ eventNumber: 2, announcedNumber: 0 });
    expect(await applyLifecycleEvents(store, events, dependencies)).toBe(0);
    expect(served()).toEqual([1, 2, 1, 2]);
    expect(new Set(announced.map(({ id }) => id)).size).toBe(2);
    expect(await position()).toMatchObject({ eventNumber: 2, announcedNumber: null });
    await applyLifecycleEvents(store, events, dependencies);
    expect(announced).toHaveLength(4);
  });

  it('that come after an announced one do not count as announced', async () => {
    const [first, second] = [received(publish(1)), received(publish(2))];
    const held = Promise.withResolvers<void>();
    const announcing = Promise.withResolvers<void>();
    const announce: ApplyDependencies['announce'] = (all) => {
      announcing.resolve();
      return held.promise.then(() => dependencies.announce(all));
    };
    const late = applyLifecycleEvents(store, [first], { ...dependencies, announce });
    await announcing.promise;
    const crash = { ...dependencies, waitForReplicas: () => Promise.reject(new Error('killed')) };
    await expect(applyLifecycleEvents(store, [second], crash)).rejects.toThrow('killed');
    held.resolve();
    await late;
    expect(await position()).toMatchObject({ eventNumber: 2, announcedNumber: 1 });
    await applyLifecycleEvents(store, [second], dependencies);
    expect(served()).toEqual([1, 2]);
    expect(await position()).toMatchObject({ eventNumber: 2, announcedNumber: null });
  });

  it('change nothing at all when the transaction fails', async () => {
    const failing: Pick<ProjectionStore, 'decideLifecycle' | 'markAnnounced'> = {
      ...store,
      decideLifecycle: (subject, decide) =>
        store.decideLifecycle(subject, async (state) => {
          await decide(state);
          throw new Error('no room');
        }),
    };
    await expect(applyLifecycleEvents(failing, [received(publish(1))], dependencies)).rejects.toThrow('no room');
    expect(await blog()).toBeNull();
    expect(await database.project.findUnique({ where: { id: project_id } })).toBeNull();
    expect(await apply(publish(1))).toBe(1);
  });

  it('of one project take the shared lock only after their work, so that large posts delay no others', async () => {
    const holder = await pool.connect();
    await holder.query('BEGIN');
    // The batch waits for this row, as it would be busy with what it writes.
    await holder.query(
      `INSERT INTO published_blog (id, project_id, slug, title, excerpt, categories, tags, segments, link_slugs,
         published_at, updated_at)
       VALUES ($1, $2, '', '', '', '{}', '{}', '[]', '{}', now(), now())`,
      [blog_id, project_id],
    );
    const waiting = async () => {
      const { rowCount } = await pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount;
    };
    const large = apply(publish(1));
    await eventually(async () => expect(await waiting()).toBe(1));
    const other = { project_id: randomUUID(), blog_id: randomUUID() };
    let isHeld = true;
    const published = apply(publish(1, other)).then(() => isHeld);
    await Promise.race([published, eventually(async () => expect(await waiting()).toBe(2))]);
    isHeld = false;
    await holder.query('ROLLBACK');
    holder.release();
    expect([await published, await large]).toEqual([true, 1]);
  });

  it('of the same blog may be applied by two consumers concurrently', async () => {
    const events = [1, 2, 3].map((number) => received(publish(number)));
    const batches = Array.from({ length: 4 }, () => applyLifecycleEvents(store, events, dependencies));
    expect((await Promise.all(batches)).reduce((sum, applied) => sum + applied)).toBe(3);
    // Each may announce what the others have not noted as announced yet, under the same id.
    const firsts = new Map(announced.map(({ id, data }) => [id, data.blog_event_number]));
    expect([...firsts.values()]).toEqual([1, 2, 3]);
    expect(await position()).toMatchObject({ eventNumber: 3, announcedNumber: null });
  });
});

describe('the version of a project', () => {
  it('grows with every change that readers can see and never falls behind the clock', async () => {
    const before = BigInt(Date.now());
    await apply(publish(1));
    const versions = [(await project()).version];
    for (const event of [publish(2), unpublish(3)]) {
      await apply(event);
      versions.push((await project()).version);
    }
    await applyProjects(projectSaved({ project_id, site_url: 'https://tea.example' }));
    versions.push((await project()).version);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => (a < b ? -1 : 1)));
    expect(versions[0]! >= before - 5_000n).toBe(true);
  });

  it('grows with a new name, which feeds have, and stays when only the members change', async () => {
    const saved = { project_id, site_url: 'https://tea.example' };
    await applyProjects(projectSaved(saved));
    const named = (await project()).version;
    await applyProjects(projectSaved({ ...saved, project_event_number: 2, name: 'Renamed' }));
    const { version, name } = await project();
    expect([version > named, name]).toEqual([true, 'Renamed']);
    const members = [{ account_id: randomUUID(), role: 'editor' as const }];
    await applyProjects(projectSaved({ ...saved, project_event_number: 3, name: 'Renamed', members }));
    expect(await project()).toMatchObject({ version, eventNumber: 3 });
  });

  it('is notified to every replica when it has grown', async () => {
    const listener = new pg.Client({ connectionString: testDatabase.url });
    await listener.connect();
    try {
      const heard = new Promise((resolve) => listener.on('notification', ({ payload }) => resolve(payload)));
      await listener.query(`LISTEN ${READ_MODEL_CHANNEL}`);
      await apply(publish(1));
      const { epoch } = await database.readEpoch.findFirstOrThrow();
      expect(await heard).toBe(`${epoch} ${project_id}`);
    } finally {
      await listener.end();
    }
  });
});

describe('project events', () => {
  const [anna, ben] = [randomUUID(), randomUUID()];
  const members = (...ids: string[]) => ids.map((account_id) => ({ account_id, role: 'owner' as const }));

  it('save name, site address and members', async () => {
    await applyProjects(projectSaved({ project_id, site_url: 'https://tea.example', members: members(anna, ben) }));
    expect(await project()).toMatchObject({ name: 'Tea site', siteUrl: 'https://tea.example', eventNumber: 1 });
    await applyProjects(projectSaved({ project_id, project_event_number: 2, members: members(ben) }));
    expect(await project()).toMatchObject({ siteUrl: null, eventNumber: 2 });
    expect(await database.projectMember.findMany({ where: { projectId: project_id } })).toEqual([
      { projectId: project_id, accountId: ben, role: 'owner' },
    ]);
  });

  it('set the account of a project: the first owner’s, as long as they own it', async () => {
    const [ada, eve] = [anna, ben].sort();
    const accounts: (string | null)[] = [];
    const editor = { account_id: '00000000-0000-4000-8000-000000000000', role: 'editor' as const };
    const owners = [[eve!], [ada!, eve!], [ada!], [ada!, eve!], []];
    for (const [index, ids] of owners.entries()) {
      const project_event_number = index + 1;
      await applyProjects(projectSaved({ project_id, project_event_number, members: [editor, ...members(...ids)] }));
      accounts.push((await project()).accountId);
    }
    expect(accounts).toEqual([eve, eve, ada, ada, null]);
    await applyProjects(projectSaved({ project_id, project_event_number: 6, members: members(anna) }));
    await applyProjects({ event: 'project.deleted', project_id, project_event_number: 7 });
    expect((await project()).accountId).toBeNull();
  });

  it('change nothing when they are not newer than the known state', async () => {
    const second = projectSaved({ project_id, project_event_number: 2, name: 'Second', members: members(anna) });
    await applyProjects(projectSaved({ project_id, name: 'First' }), second);
    expect(await applyProjects(second, projectSaved({ project_id, name: 'First' }))).toBe(0);
    expect(await project()).toMatchObject({ name: 'Second', eventNumber: 2 });
  });

  it('may come after the events of the project’s blogs', async () => {
    await apply(publish(1, { site_url: 'https://from-event.example' }));
    expect(await project()).toMatchObject({ siteUrl: 'https://from-event.example', eventNumber: 0, name: null });
    await applyProjects(projectSaved({ project_id, site_url: 'https://tea.example' }));
    expect(await project()).toMatchObject({ siteUrl: 'https://tea.example', eventNumber: 1 });
    expect(await blog()).not.toBeNull();
  });

  it('are the authority on the site address', async () => {
    await applyProjects(projectSaved({ project_id, site_url: null }));
    await apply(publish(1, { site_url: 'https://older.example' }));
    expect(await project()).toMatchObject({ siteUrl: null });
  });

  it('remove everything of a deleted project, including its key, and ignore later blogs of it', async () => {
    await applyProjects(projectSaved({ project_id, members: members(anna) }));
    await apply(publish(1));
    await database.publicKey.create({
      data: { projectId: project_id, keyHash: randomUUID(), sealedKey: 'x', createdAt: servedAt },
    });
    await applyProjects({ event: 'project.deleted', project_id, project_event_number: 2 });
    expect(await blog()).toBeNull();
    expect(await database.publicKey.count({ where: { projectId: project_id } })).toBe(0);
    expect(await database.projectMember.count({ where: { projectId: project_id } })).toBe(0);

    expect(await apply(publish(2))).toBe(1);
    expect(await blog()).toBeNull();
    expect(await applyProjects(projectSaved({ project_id, members: members(anna) }))).toBe(0);
    expect(await project()).toMatchObject({ deletedAt: servedAt, eventNumber: 2 });
  });
});
