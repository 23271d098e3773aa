import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { projectDeleted, projectSaved, testBlog } from '../../test/events.ts';
import { linkingTo } from '../../test/healing.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { BEFORE_ALL } from '../queue/claim-statements.ts';
import { openDatabase } from '../database/open-database.ts';
import { createLinkViewStore } from './link-view-store.ts';
import { startLinkHealing } from './start-link-healing.ts';

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
afterAll(() => queue[Symbol.asyncDispose]());

it('a project that is deleted before its links have been read leaves none of them', async () => {
  const projectId = randomUUID();
  const plan = (...events: Parameters<TestQueue['plans']['plan']>[0]) => queue.plans.plan(events, { servedWaitMs: 0 });
  await queue.projects.apply([projectSaved(projectId, [], 1).data]);
  await queue.addIntegration(projectId, { healLinks: true });
  const blog = testBlog(projectId);
  await plan(blog.published(linkingTo('elsewhere')));
  expect(await queue.query('SELECT FROM blog_link')).toHaveLength(1);
  await queue.projects.apply([projectDeleted(projectId, 2).data]);
  // What comes late adds nothing.
  await plan(blog.unpublished());

  const database = openDatabase(queue.databaseUrl, 2, () => undefined);
  const { logger } = recordingLogger();
  const healing = startLinkHealing({ pollMs: 10, readEveryMs: 10, quietMs: 0, perHour: 1 }, { database, logger });
  try {
    await eventually(async () => {
      for (const table of ['link_target', 'blog_link', 'link_change', 'link_healing', 'link_view']) {
        expect({ table, rows: await queue.query(`SELECT FROM ${table}`) }).toEqual({ table, rows: [] });
      }
    });
  } finally {
    await healing.stop();
    await database.$disconnect();
  }
});

it('a project is found until the last of its links is forgotten: a process may end in between', async () => {
  const [projectId, blogId] = [randomUUID(), randomUUID()];
  await queue.query(
    `INSERT INTO link_target (blog_id, project_id, event_number) VALUES ('${blogId}', '${projectId}', 1);
     INSERT INTO blog_link (project_id, slug, blog_id)
     SELECT '${projectId}', 'post-' || number, '${blogId}' FROM generate_series(1, 5000) AS number`,
  );
  const database = openDatabase(queue.databaseUrl, 2, () => undefined);
  try {
    const views = createLinkViewStore(database);
    const isFound = async () => (await views.known(BEFORE_ALL)).some(({ id, isOver }) => id === projectId && isOver);
    expect(await isFound()).toBe(true);
    while (await isFound()) await views.forgetNext(projectId);
    expect(await queue.query('SELECT FROM blog_link')).toEqual([]);
  } finally {
    await database.$disconnect();
  }
});
