import type { EventLog } from '@blog-content/event-log';
import { eventually } from '@blog-content/testing';
import { randomUUID } from 'node:crypto';
import { prepareRebuilds, published, TABLES, warnings } from '../../test/rebuilds.ts';

const { worldOf, createProject, versions, consumeAll } = prepareRebuilds();

describe('a failed rebuild', () => {
  async function fill() {
    const project = await createProject();
    const blogs = Array.from({ length: 30 }, () => randomUUID());
    await worldOf().append(...blogs.map((id) => published(project.id, id, 1)));
    await consumeAll();
    return { project, blogs };
  }

  it('leaves the service as it was when it is killed, and the next one starts over', async () => {
    const { project, blogs } = await fill();
    const before = await versions();
    const release = await worldOf().holdTables();
    const command = worldOf().startCommand();
    await eventually(() => command.output().includes('rebuild.tables_in_use'));
    expect(await worldOf().tables()).toEqual([...TABLES, ...TABLES.map((table) => `${table}_next`)].sort());
    await command.kill();
    await release();

    expect(await versions()).toEqual(before);
    expect((await project.list()).total).toBe(30);
    await worldOf().append(published(project.id, blogs[0]!, 2), published(project.id, randomUUID(), 1));
    await consumeAll();
    expect((await project.list()).total).toBe(31);

    await eventually(() => worldOf().rebuild());
    expect(await worldOf().tables()).toEqual(TABLES);
    expect((await project.list()).total).toBe(31);
    expect(worldOf().announced()).toHaveLength(32);
  });

  it('does not block publishes while another session holds the tables, and leaves nothing when it is stopped', async () => {
    const { project, blogs } = await fill();
    const release = await worldOf().holdTables();
    const stopping = new AbortController();
    const rebuilding = worldOf().rebuild({ signal: stopping.signal });
    rebuilding.catch(() => undefined);
    await eventually(() => warnings().some(({ event }) => event === 'rebuild.tables_in_use'));
    await worldOf().append(
      published(project.id, randomUUID(), 1),
      published(project.id, blogs[0]!, 2, 'While waiting'),
    );
    await consumeAll();
    const list = await project.list();
    expect(list.total).toBe(31);
    expect(list.blogs.map(({ title }) => title)).toContain('While waiting');
    stopping.abort();
    await expect(rebuilding).rejects.toThrow();
    await release();
    expect(await worldOf().tables()).toEqual(TABLES);
    await worldOf().rebuild();
    expect((await project.list()).total).toBe(31);
  });

  it('gives up, with nothing changed, when the tables are held too long', async () => {
    const { project } = await fill();
    const before = await versions();
    const release = await worldOf().holdTables();
    await expect(worldOf().rebuild({ switchTimeoutMs: 0 })).rejects.toThrow('has locked the tables of the read model');
    await release();
    expect(await versions()).toEqual(before);
    expect((await project.list()).total).toBe(30);
    expect(await worldOf().tables()).toEqual(TABLES);
  });

  it('changes nothing when a migration has changed the tables during it', async () => {
    const { project } = await fill();
    const migrating = {
      ...worldOf().eventLog,
      readFromBeginning: async (...options: Parameters<EventLog['readFromBeginning']>) => {
        await worldOf().pool.query(`ALTER TABLE published_blog ADD COLUMN added TEXT NOT NULL DEFAULT 'x'`);
        return worldOf().eventLog.readFromBeginning(...options);
      },
    };
    await expect(worldOf().rebuild({ eventLog: migrating })).rejects.toThrow('A migration changed published_blog');
    expect((await project.list()).total).toBe(30);
    await worldOf().rebuild();
    expect((await project.list()).total).toBe(30);
    const { rows } = await worldOf().pool.query('SELECT DISTINCT added FROM published_blog');
    expect(rows).toEqual([{ added: 'x' }]);
  });

  it('says so and exits with 1 when another one is running', async () => {
    await fill();
    const release = await worldOf().holdTables();
    const first = worldOf().rebuild();
    await eventually(() => warnings().some(({ event }) => event === 'rebuild.tables_in_use'));
    const second = worldOf().startCommand();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain('Another rebuild of this read model is running');
    await release();
    expect(await first).toMatchObject({ posts: 30 });

    const third = worldOf().startCommand();
    expect(await third.ended).toBe(0);
    expect(third.output()).toMatch(/Read model rebuilt: 30 posts from 31 events in [\d.]+ s \(\d+ posts\/s\)/);
  });
});
