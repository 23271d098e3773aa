import type { LifecycleEvent } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { randomUUID } from 'node:crypto';
import { blogDeleted, blogUnpublished, projectSaved } from '../../test/events.ts';
import { READ_MODEL_CHANNEL } from '../replicas/read-model-change.ts';
import { REBUILT_COLUMNS } from './next-generation-store.ts';
import { prepareRebuilds, published, TABLES, warnings } from '../../test/rebuilds.ts';

const { worldOf, createProject, versions, consumeAll, changeLog } = prepareRebuilds();

describe('a rebuild', () => {
  it('makes exactly the read model of the events', async () => {
    const project = await createProject();
    const [kept, unpublished, deleted, again] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const events: LifecycleEvent[] = [
      published(project.id, kept, 1, 'First'),
      published(project.id, kept, 2, 'Second'),
      published(project.id, unpublished, 1),
      published(project.id, deleted, 1),
      published(project.id, again, 1),
      blogUnpublished({ project_id: project.id, blog_id: unpublished, blog_event_number: 2 }),
      blogDeleted({ project_id: project.id, blog_id: deleted, blog_event_number: 2 }),
      blogUnpublished({ project_id: project.id, blog_id: again, blog_event_number: 2 }),
      published(project.id, again, 3, 'Again'),
      published(project.id, kept, 1, 'Late'),
    ];
    await worldOf().append(...events);
    await consumeAll();
    const { rows: before } = await worldOf().pool.query('SELECT * FROM published_blog ORDER BY id');
    const positions = await worldOf().pool.query('SELECT * FROM blog_position ORDER BY blog_id');
    await worldOf().pool.query(`UPDATE published_blog SET title = 'Damaged' WHERE id = $1`, [kept]);
    await worldOf().pool.query('DELETE FROM published_blog WHERE id = $1', [again]);

    expect(await worldOf().rebuild()).toMatchObject({ events: 11, kept: { blogs: 0, projects: 0 } });
    expect((await worldOf().pool.query('SELECT * FROM published_blog ORDER BY id')).rows).toEqual(before);
    expect((await worldOf().pool.query('SELECT * FROM blog_position ORDER BY blog_id')).rows).toEqual(positions.rows);
    const { blogs: items } = await project.list();
    expect(items.map(({ title }) => title).sort()).toEqual(['Again', 'Second']);
  });

  it('has the authors of a project', async () => {
    const project = await createProject();
    const who = { former_slugs: [], bio: null, avatar_url: null, links: [], same_as: [], email: 'ada@example.com' };
    const authors = [{ ...who, slug: 'ada', name: 'Ada' }];
    await worldOf().append(projectSaved({ project_id: project.id, project_event_number: 2, authors }));
    await consumeAll();
    const { body: before } = await project.get('/authors');
    expect(before).toContain('"name":"Ada"');
    await worldOf().rebuild();
    expect((await project.get('/authors')).body).toBe(before);
  });

  it('leaves tables, indexes, constraints and rights as the migrations made them', async () => {
    const describeTables = async () => {
      const queries = [
        `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
        `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
        `SELECT table_name, column_name, data_type, column_default, is_nullable FROM information_schema.columns
         WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
        `SELECT attrelid::regclass::text, attname, attstorage FROM pg_attribute
         WHERE attrelid = ANY ('{project,project_member,published_blog,blog_position,blog_alias}'::regclass[]) ORDER BY 1, 2`,
        `SELECT table_name, grantee, privilege_type, is_grantable FROM information_schema.role_table_grants
         WHERE table_schema = 'public' ORDER BY 1, 2, 3`,
        `SELECT relname, reloptions FROM pg_class
         WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
      ];
      return Promise.all(queries.map(async (query) => (await worldOf().pool.query(query)).rows as unknown[]));
    };
    await worldOf().pool.query('GRANT SELECT ON published_blog TO PUBLIC');
    await worldOf().pool.query('GRANT SELECT, UPDATE ON project TO pg_monitor WITH GRANT OPTION');
    await worldOf().pool.query('ALTER TABLE blog_position SET (fillfactor = 90)');
    const before = await describeTables();
    await worldOf().rebuild();
    expect(await describeTables()).toEqual(before);
    await worldOf().rebuild();
    expect(await describeTables()).toEqual(before);
    expect(await worldOf().tables()).toEqual(TABLES);
  });

  it('is invisible to readers during publishes: no error, and never fewer posts than are published', async () => {
    const [project, quiet] = [await createProject(), await createProject()];
    const first = Array.from({ length: 60 }, () => randomUUID());
    const still = Array.from({ length: 20 }, () => randomUUID());
    await worldOf().append(...first.map((id) => published(project.id, id, 1)));
    await worldOf().append(...still.map((id) => published(quiet.id, id, 1)));
    const subscription = await worldOf().consume();
    await eventually(() => worldOf().untilConsumed());
    const before = await versions();

    let isDone = false;
    let visible = first.length;
    const more: string[] = [];
    const publish = async () => {
      while (!isDone) {
        const id = randomUUID();
        more.push(id);
        await worldOf().append(published(project.id, id, 1), published(quiet.id, still[0]!, 2 + more.length));
        await eventually(() => worldOf().announced().includes(`${id} 1`));
        visible = first.length + more.length;
      }
    };
    const reads = { total: 0, direct: 0 };
    const read = async () => {
      while (!isDone) {
        const atLeast = visible;
        expect((await project.list()).total).toBeGreaterThanOrEqual(atLeast);
        expect((await quiet.list()).total).toBe(20);
        reads.total++;
      }
    };
    const readDirectly = async () => {
      const client = await worldOf().pool.connect();
      const query = {
        name: 'prepared',
        text: `SELECT version, (SELECT count(*)::int FROM published_blog WHERE project_id = project.id) AS total
               FROM project WHERE id = $1`,
        values: [project.id],
      };
      let version = 0n;
      while (!isDone) {
        const atLeast = visible;
        const { rows } = await client.query<{ total: number; version: string }>(query);
        expect(rows[0]?.total).toBeGreaterThanOrEqual(atLeast);
        expect(BigInt(rows[0]!.version) >= version).toBe(true);
        version = BigInt(rows[0]!.version);
        reads.direct++;
      }
      client.release();
    };
    const working = Promise.all([publish(), read(), readDirectly()]);
    for (let time = 0; time < 3; time++) await worldOf().rebuild();
    isDone = true;
    await working;
    await eventually(() => worldOf().untilConsumed());
    await subscription.stop();

    expect(reads.total).toBeGreaterThan(0);
    expect(reads.direct).toBeGreaterThan(0);
    const { rows } = await worldOf().pool.query<{ id: string }>('SELECT id FROM published_blog');
    expect(rows.map(({ id }) => id).sort()).toEqual([...first, ...still, ...more].sort());
    expect((await project.list()).total).toBe(first.length + more.length);
    const expected = [...first, ...still, ...more].map((id) => `${id} 1`);
    expected.push(...more.map((_, at) => `${still[0]} ${3 + at}`));
    expect(worldOf().announced()).toEqual(expected.sort());
    const after = await versions();
    for (const [id, version] of before) expect(after.get(id)! > version).toBe(true);
  });

  it('keeps the account of a project, because the log may no longer tell the first owner', async () => {
    const { id } = await createProject();
    const [first, second] = [randomUUID(), randomUUID()].sort();
    const saved = (project_event_number: number, ...ids: string[]) => {
      const members = ids.map((account_id) => ({ account_id, role: 'owner' as const }));
      return worldOf().append(projectSaved({ project_id: id, project_event_number, members }));
    };
    const account = async () => {
      const { rows } = await worldOf().pool.query<{ account_id: string }>('SELECT account_id FROM project');
      return rows.map((row) => row.account_id);
    };
    await saved(2, second!);
    await consumeAll();
    await saved(3, first!, second!);
    await consumeAll();
    await worldOf().rebuild();
    expect(await account()).toEqual([second]);

    await worldOf().pool.query('UPDATE project SET account_id = NULL');
    await worldOf().rebuild();
    expect(await account()).toEqual([first]);
    await saved(4, second!);
    await worldOf().rebuild();
    expect(await account()).toEqual([second]);
  });

  it('raises every version above the one before, at any clock', async () => {
    const project = await createProject();
    await worldOf().append(published(project.id, randomUUID(), 1));
    await consumeAll();
    const ahead = BigInt(Date.now()) + 10_000_000n;
    await worldOf().pool.query('UPDATE project SET version = $1', [String(ahead)]);
    await worldOf().rebuild();
    expect((await versions()).get(project.id)).toBe(ahead + 1n);
  });

  it('notifies every replica of a complete change, with the next epoch', async () => {
    const project = await createProject();
    await worldOf().append(published(project.id, randomUUID(), 1));
    await consumeAll();
    const client = await worldOf().pool.connect();
    const heard: string[] = [];
    client.on('notification', ({ payload = '' }) => heard.push(payload));
    await client.query(`LISTEN ${READ_MODEL_CHANNEL}`);
    const { rows } = await client.query<{ epoch: string }>('SELECT epoch FROM read_epoch');
    await worldOf().rebuild();
    await eventually(() => heard.length > 0);
    expect(heard).toEqual([`${BigInt(rows[0]!.epoch) + 1n} *`]);
    client.release(true);
  });

  it('leaves the announcement of unseen events to the consumer, once', async () => {
    const project = await createProject();
    const [known, unseen, gone] = [randomUUID(), randomUUID(), randomUUID()];
    await worldOf().append(published(project.id, known, 1), published(project.id, gone, 1));
    await consumeAll();
    await worldOf().append(
      published(project.id, known, 2),
      published(project.id, known, 3),
      published(project.id, unseen, 1),
      blogUnpublished({ project_id: project.id, blog_id: gone, blog_event_number: 2 }),
    );
    await worldOf().rebuild();
    await worldOf().rebuild();
    expect((await project.list()).total).toBe(2);
    expect(worldOf().announced()).toEqual([`${known} 1`, `${gone} 1`].sort());
    const version = (await versions()).get(project.id);

    await consumeAll();
    const all = [`${known} 1`, `${known} 2`, `${known} 3`, `${unseen} 1`, `${gone} 1`, `${gone} 2`];
    expect(worldOf().announced()).toEqual(all.sort());
    expect((await versions()).get(project.id)).toBe(version);
    const { rows } = await worldOf().pool.query('SELECT 1 FROM blog_position WHERE announced_number IS NOT NULL');
    expect(rows).toEqual([]);
  });

  it('announces nothing again when the consumer starts at the beginning of the log', async () => {
    const project = await createProject();
    const blogs = Array.from({ length: 10 }, () => randomUUID());
    await worldOf().append(...blogs.map((id) => published(project.id, id, 1)));
    await consumeAll();
    await worldOf().rebuild();
    const announced = worldOf().announced();
    await worldOf().service.apply(...blogs.map((id) => published(project.id, id, 1)));
    expect(worldOf().announced()).toEqual(announced);
  });

  it('keeps keys and counts, except for projects that the log calls deleted', async () => {
    const [alive, deleted] = [await createProject(), await createProject()];
    await worldOf().append(published(alive.id, randomUUID(), 1), published(deleted.id, randomUUID(), 1));
    await consumeAll();
    for (const { id } of [alive, deleted]) {
      await worldOf().pool.query(
        `INSERT INTO key_usage (project_id, day, requests, not_modified, last_used_at) VALUES ($1, now(), 1, 0, now())`,
        [id],
      );
    }
    await worldOf().append({ event: 'project.deleted', project_id: deleted.id, project_event_number: 2 });
    await worldOf().rebuild();
    expect((await alive.list()).total).toBe(1);
    await eventually(async () => expect(await deleted.status()).toBe(401));
    for (const table of ['public_key', 'key_usage', 'published_blog']) {
      const { rows } = await worldOf().pool.query(`SELECT DISTINCT project_id FROM ${table}`);
      expect(rows).toEqual([{ project_id: alive.id }]);
    }
  });
});

describe('data that the log no longer has', () => {
  it('stays unchanged', async () => {
    const [project, forgotten] = [await createProject(), await createProject('https://forgotten.example')];
    const [whole, lost, halfLost] = [randomUUID(), randomUUID(), randomUUID()];
    await worldOf().append(
      published(project.id, whole, 1),
      published(project.id, lost, 1),
      published(project.id, halfLost, 1, 'Old'),
    );
    await worldOf().append(published(project.id, halfLost, 2, 'New'), published(forgotten.id, randomUUID(), 1));
    await consumeAll();
    await changeLog(`DELETE FROM event_log.messages WHERE key = $1 OR key = $2 OR headers->>'ce_partitionkey' = $3`, [
      lost,
      halfLost,
      forgotten.id,
    ]);
    await worldOf().append(published(project.id, halfLost, 1, 'Old'));

    expect(await worldOf().rebuild()).toMatchObject({ kept: { blogs: 3, projects: 1 } });
    expect(warnings()).toContainEqual(expect.objectContaining({ event: 'rebuild.kept', blogs: 3, projects: 1 }));
    const { blogs: items } = await project.list();
    expect(items.map(({ title }) => title).sort()).toEqual(['Green tea', 'Green tea', 'New']);
    expect((await forgotten.list()).total).toBe(1);
    const { rows } = await worldOf().pool.query('SELECT site_url FROM project WHERE id = $1', [forgotten.id]);
    expect(rows).toEqual([{ site_url: 'https://forgotten.example' }]);
    await worldOf().rebuild();
    expect((await project.list()).total).toBe(3);
  });

  it('is copied with all columns of its tables', async () => {
    const { rows } = await worldOf().pool.query<{ table: string; columns: string[] }>(
      `SELECT table_name AS table, array_agg(column_name::text ORDER BY column_name) AS columns
       FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ANY ($1) GROUP BY 1`,
      [TABLES],
    );
    const copied = Object.entries(REBUILT_COLUMNS).map(([table, columns]) => [table, columns.toSorted()]);
    expect(Object.fromEntries(copied)).toEqual(Object.fromEntries(rows.map(({ table, columns }) => [table, columns])));
  });

  it('is not restored when a blog of the present tables was never in a log', async () => {
    const project = await createProject();
    await worldOf().append(published(project.id, randomUUID(), 1));
    await consumeAll();
    await worldOf().pool.query(
      `INSERT INTO published_blog
         (id, project_id, slug, title, excerpt, categories, tags, segments, link_slugs, published_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'stray', 'Stray', '', '{}', '{}', '[]', '{}', now(), now())`,
      [project.id],
    );
    await worldOf().rebuild();
    expect((await project.list()).total).toBe(1);
  });
});

describe('an event that cannot be applied', () => {
  it('is skipped with a warning, and the others are applied', async () => {
    const project = await createProject();
    const blogs = Array.from({ length: 7 }, () => randomUUID());
    await worldOf().append(...blogs.map((id) => published(project.id, id, 1)));
    await worldOf().append(
      published(project.id, blogs[3]!, 4_000_000_000),
      published(project.id, blogs[4]!, 2, 'Newer'),
    );
    await worldOf().rebuild();
    expect((await project.list()).total).toBe(7);
    expect(warnings()).toContainEqual(
      expect.objectContaining({ event: 'rebuild.event_skipped', topic: 'blog.lifecycle' }),
    );
  });

  it('is skipped when it cannot even be parsed', async () => {
    const project = await createProject();
    const blog = randomUUID();
    await worldOf().append(published(project.id, blog, 1));
    await changeLog(`UPDATE event_log.messages SET value = 'no event' WHERE key = $1`, [blog]);
    await worldOf().append(published(project.id, blog, 2));
    await worldOf().rebuild();
    expect((await project.list()).total).toBe(1);
    expect(warnings()).toContainEqual(expect.objectContaining({ event: 'event.unreadable', reason: 'not-json' }));
  });
});

describe('an event of a type that a later release brings', () => {
  it('is skipped, and does not count as a removal', async () => {
    const project = await createProject();
    const blog = randomUUID();
    await worldOf().append(published(project.id, blog, 1), published(project.id, blog, 2));
    await changeLog(
      `UPDATE event_log.messages SET value = '{"event":"blog.annotated"}',
         headers = (headers::jsonb || '{"ce_type":"blog.annotated"}')::json
       WHERE key = $1 AND value::json->>'blog_event_number' = '2'`,
      [blog],
    );
    await worldOf().rebuild();
    expect((await project.list()).total).toBe(1);
    expect(warnings().filter(({ event }) => event === 'event.unreadable')).toEqual([]);
  });
});
