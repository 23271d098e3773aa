import { randomUUID } from 'node:crypto';
import { eventsThat, type VisibilityEvent } from '@blog-content/payload-schemas';
import { ANY_REQUEST, type DeployHookGround, openDeployHookGround } from '../../../test/grounds/deploy-hook-ground.ts';
import { servedEvent, testBlog } from '../../../test/events.ts';
import { openDatabase } from '../../database/open-database.ts';
import { createChangeStore } from './change-store.ts';

let ground: DeployHookGround;
let projectId: string;
beforeAll(async () => {
  ground = await openDeployHookGround();
});
beforeEach(async () => {
  projectId = await ground.addProject();
});
afterAll(async () => {
  await ground[Symbol.asyncDispose]();
});

const AT_ONCE = { quietMs: 0, maxWaitMs: 0 };
const LONG = { quietMs: 3_600_000, maxWaitMs: 3_600_000 };
const waitingChanges = async () =>
  (await ground.query('SELECT FROM deploy_hook_change WHERE project_id = $1 AND request_id IS NULL', [projectId]))
    .length;
/** Longer than a busy machine takes for a test. */
const LEASE_MS = 600_000;
/** Claims what is due of this project. */
const claim = async () => {
  const [claimed] = (await ground.requests.claim(ANY_REQUEST, LEASE_MS)).filter(
    (request) => request.projectId === projectId,
  );
  if (claimed === undefined) throw new Error('nothing was claimed');
  return claimed;
};
/** As many at the same moment as have a connection each: what waits for one is refused after some seconds. */
function* atOnce<Event>(events: readonly Event[]): Generator<Event[]> {
  for (let at = 0; at < events.length; at += 8) yield events.slice(at, at + 8);
}
const RETRY = { kind: 'retry', afterMs: 3_600_000, reason: 'timeout', detail: 'No answer.' } as const;
const retryIn = (afterMs: number) => {
  return { verdict: { ...RETRY, afterMs }, endedAt: new Date(), statusCode: null, timings: null };
};

describe('a change', () => {
  it('joins a request only when the public API serves it', async () => {
    const event = testBlog(projectId).published();
    await ground.take(event);
    expect(await ground.history(projectId)).toEqual([]);
    await ground.serve(event);
    expect(await ground.history(projectId)).toMatchObject([
      {
        kind: 'changes',
        status: 'waiting',
        changes: { published: 1, unpublished: 0, deleted: 0 },
        blog_ids: [event.data.blog_id],
        next_attempt_at: expect.any(String) as string,
        warning: null,
        attempts: [],
      },
    ]);
  });

  it('counts even if the clock that saved the hook is ahead of the one of the event', async () => {
    await ground.query(`UPDATE deploy_hook SET created_at = now() + interval '1 hour' WHERE project_id = $1`, [
      projectId,
    ]);
    const event = testBlog(projectId).published();
    await ground.take(event);
    await ground.serve(event);
    expect(await ground.history(projectId)).toMatchObject([{ changes: { published: 1 } }]);
  });

  it('joins immediately when the public API was faster than this service', async () => {
    const event = testBlog(projectId).published();
    await ground.serve(event);
    await ground.take(event);
    expect(await ground.history(projectId)).toMatchObject([{ changes: { published: 1 }, warning: null }]);
  });

  it('joins after either event order, also when both come at the same moment', async () => {
    const events = Array.from({ length: 40 }, () => testBlog(projectId).published());
    for (const some of atOnce(events)) {
      await Promise.all(some.flatMap((event) => [ground.take(event), ground.serve(event)]));
    }
    expect(await waitingChanges()).toBe(0);
    expect(await ground.history(projectId)).toMatchObject([{ changes: { published: 40 } }]);
  });

  it('is a publish, a publish again, an unpublish, or the deletion of a published blog', async () => {
    const blog = testBlog(projectId);
    for (const event of [blog.published(), blog.published(), blog.unpublished(), blog.published(), blog.deleted()]) {
      await ground.take(event);
      await ground.serve(event);
    }
    expect(await ground.history(projectId)).toMatchObject([
      { changes: { published: 3, unpublished: 1, deleted: 1 }, blog_ids: [blog.id] },
    ]);
  });

  it('is every event that shows or hides a blog', async () => {
    const changes = [...eventsThat('shows'), ...eventsThat('hides')].map((event) => {
      const data = { event, project_id: projectId, blog_id: randomUUID(), blog_event_number: 1 };
      return { id: randomUUID(), data: data as VisibilityEvent };
    });
    await ground.changes.keep(changes, { ...LONG, servedWaitMs: 0 });
    await ground.changes.joinOverdue(LONG);
    const [request] = await ground.history(projectId);
    const { published = 0, unpublished = 0, deleted = 0 } = request?.changes ?? {};
    expect(published + unpublished + deleted).toBe(changes.length);
  });

  it('counts once, however often its event comes, even after the history has dropped it', async () => {
    const event = testBlog(projectId).published();
    for (let times = 0; times < 3; times += 1) {
      await ground.take(event);
      await ground.serve(event);
    }
    expect(await ground.history(projectId)).toMatchObject([{ changes: { published: 1 } }]);
    await ground.query('DELETE FROM deploy_hook_request WHERE project_id = $1', [projectId]);
    await ground.take(event);
    await ground.serve(event);
    expect([await ground.history(projectId), await waitingChanges()]).toEqual([[], 0]);
  });

  it('is served when a later one of its blog is', async () => {
    const blog = testBlog(projectId);
    const [first, second] = [blog.published(), blog.published()];
    await ground.take(first);
    await ground.take(second);
    await ground.serve(second);
    expect(await ground.history(projectId)).toMatchObject([{ changes: { published: 2 } }]);
  });

  it('counts for its own project only', async () => {
    const other = await ground.addProject();
    const event = testBlog(other).published();
    await ground.take(event);
    await ground.serve(event);
    expect(await ground.history(projectId)).toEqual([]);
    expect(await ground.history(other)).toHaveLength(1);
  });

  it.each([
    ['there was no hook', undefined],
    ['the hook was switched off', { active: false }],
  ])('does not count when it happened while %s (contract §1.5)', async (_name, hook) => {
    const blog = testBlog(projectId);
    const longAgo = blog.published({ time: new Date(Date.now() - 60_000) });
    const meanwhile = blog.published();
    if (hook) await ground.saveHook(projectId, hook);
    else await ground.hooks.remove(projectId);
    await ground.take(meanwhile);
    await ground.serve(meanwhile);
    await ground.saveHook(projectId);
    // Consumed late: the hook is there, and was not when it happened.
    await ground.take(longAgo);
    await ground.serve(longAgo);
    expect([await ground.history(projectId), await waitingChanges()]).toEqual([[], 0]);
    const after = blog.published();
    await ground.take(after);
    await ground.serve(after);
    expect(await ground.history(projectId)).toMatchObject([{ changes: { published: 1 } }]);
  });
});

describe('the wait for the public API', () => {
  it('times out: the change joins unserved, and the history says so', async () => {
    const [served, unserved] = [testBlog(projectId).published(), testBlog(projectId).unpublished()];
    await ground.take(served);
    await ground.serve(served);
    await ground.take(unserved, { servedWaitMs: 0 });
    const joined = await ground.changes.joinOverdue(LONG);
    const [request] = await ground.history(projectId);
    expect(joined.filter((one) => one.projectId === projectId)).toEqual([
      { projectId, requestId: request?.id, count: 1 },
    ]);
    expect(request).toMatchObject({
      changes: { published: 1, unpublished: 1 },
      warning: 'The public API did not confirm 1 of 2 changes within the wait time.',
    });
    expect(await ground.changes.joinOverdue(LONG)).toEqual([]);
    // The late acknowledgement changes nothing any more.
    await ground.serve(unserved);
    expect(await ground.history(projectId)).toHaveLength(1);
  });

  it('does not hold up the changes that are served', async () => {
    const [served, unserved] = [testBlog(projectId).published(), testBlog(projectId).published()];
    await ground.take(unserved);
    await ground.take(served);
    await ground.serve(served, AT_ONCE);
    expect(await claim()).toMatchObject({ changes: 1 });
    expect(await waitingChanges()).toBe(1);
  });
});

describe('changes of a project that wait for the public API', () => {
  it('are not read for others that are kept, served or overdue: each has its own index', async () => {
    const waiting = 5_000;
    // A database of its own: what connections have read in other tests is counted when they get round to it.
    await using ground = await openDeployHookGround();
    const projectId = await ground.addProject();
    await ground.query(
      `INSERT INTO deploy_hook_change
         (lifecycle_event_id, project_id, blog_id, blog_event_number, event, overdue_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, 'blog.published', now() + interval '1 hour'
       FROM generate_series(1, $2::integer)`,
      [projectId, waiting],
    );
    await ground.query(
      'INSERT INTO served_event (lifecycle_event_id) SELECT gen_random_uuid() FROM generate_series(1, $1::integer)',
      [waiting],
    );
    await ground.query('ANALYZE deploy_hook_change, served_event');
    const database = openDatabase(ground.databaseUrl, 1, () => undefined);
    const rowsRead = async () => {
      // Of the one connection that all of it went through.
      await database.$executeRaw`SELECT pg_stat_force_next_flush()`;
      const [row] = await ground.query<{ read: number }>(
        `SELECT (sum(idx_tup_read) + max(t.seq_tup_read))::integer AS read
         FROM pg_stat_user_tables t JOIN pg_stat_user_indexes USING (relid) WHERE t.relname = 'deploy_hook_change'`,
      );
      return row?.read ?? Number.NaN;
    };
    const changes = createChangeStore(database);
    const [served, unserved] = [testBlog(projectId).published(), testBlog(projectId).published()];
    const steps = [
      () => changes.keep([served], { ...LONG, servedWaitMs: 3_600_000 }),
      () => changes.markServed([servedEvent(served).data], LONG),
      () => changes.keep([unserved], { ...LONG, servedWaitMs: 0 }),
      () => changes.joinOverdue(LONG),
    ];
    const read: number[] = [];
    for (const step of steps) {
      const before = await rowsRead();
      await step();
      read.push((await rowsRead()) - before);
    }
    await database.$disconnect();
    const left = await ground.query('SELECT FROM deploy_hook_change WHERE request_id IS NULL');
    expect(left).toHaveLength(waiting);
    expect(Math.max(...read)).toBeLessThan(100);
  });
});

describe('the window', () => {
  it('is one, however many consumers add to it concurrently', async () => {
    const events = Array.from({ length: 30 }, () => testBlog(projectId).published());
    for (const event of events) await ground.take(event);
    for (const some of atOnce(events)) {
      await Promise.all(some.map((event) => ground.changes.markServed([servedEvent(event).data], LONG)));
    }
    expect(await ground.history(projectId)).toMatchObject([{ changes: { published: 30 } }]);
  });

  it('is a new one for what comes while a request is under way, and that one waits for it', async () => {
    const blog = testBlog(projectId);
    const [first, second] = [blog.published(), blog.published()];
    await ground.take(first);
    await ground.serve(first, AT_ONCE);
    const claimed = await claim();
    await ground.take(second);
    await ground.serve(second, AT_ONCE);
    expect(await ground.history(projectId)).toMatchObject([
      { status: 'waiting', changes: { published: 1 } },
      { id: claimed.id, status: 'in_flight', attempts: [{ number: 1, ended_at: null }] },
    ]);
    await expect(claim()).rejects.toThrow('nothing was claimed');
    const ended = { verdict: { kind: 'succeeded' }, endedAt: new Date(), statusCode: 200, timings: null } as const;
    expect(await ground.requests.record(claimed, ended)).toBe('succeeded');
    expect((await claim()).id).not.toBe(claimed.id);
  });

  it('replaces a waiting retry, and its request counts all changes', async () => {
    const blog = testBlog(projectId);
    const [first, second] = [blog.published(), blog.published()];
    await ground.take(first);
    await ground.serve(first, AT_ONCE);
    expect(await ground.requests.record(await claim(), retryIn(3_600_000))).toBe('waiting');
    await ground.take(second);
    await ground.serve(second, AT_ONCE);
    expect(await ground.history(projectId)).toMatchObject([
      { status: 'waiting' },
      { status: 'superseded', attempts: [{ number: 1, reason: 'timeout' }], finished_at: expect.any(String) as string },
    ]);
    expect(await claim()).toMatchObject({ attempt: 1 });
  });

  it('also replaces a retry that is not planned yet', async () => {
    const blog = testBlog(projectId);
    const [first, second] = [blog.published(), blog.published()];
    await ground.take(first);
    await ground.serve(first, AT_ONCE);
    const claimed = await claim();
    await ground.take(second);
    await ground.serve(second, AT_ONCE);
    expect(await ground.requests.record(claimed, retryIn(0))).toBe('superseded');
    expect(await ground.history(projectId)).toMatchObject([{ status: 'waiting' }, { status: 'superseded' }]);
  });

  it('loses no change to a claim at the same moment', async () => {
    const events = Array.from({ length: 30 }, () => testBlog(projectId).published());
    for (const event of events) await ground.take(event);
    let isDone = false;
    const claiming = (async () => {
      while (!isDone) {
        for (const claimed of await ground.requests.claim(ANY_REQUEST, LEASE_MS)) {
          const verdict = { kind: 'succeeded' } as const;
          await ground.requests.record(claimed, { verdict, endedAt: new Date(), statusCode: 200, timings: null });
        }
      }
    })();
    for (const some of atOnce(events)) {
      await Promise.all(some.map((event) => ground.changes.markServed([servedEvent(event).data], AT_ONCE)));
    }
    isDone = true;
    await claiming;
    const history = await ground.history(projectId);
    const lost = await ground.query(
      `SELECT FROM deploy_hook_request r WHERE project_id = $1
       AND published <> (SELECT count(*) FROM deploy_hook_change c WHERE c.request_id = r.id)`,
      [projectId],
    );
    expect([history.reduce((sum, { changes }) => sum + changes.published, 0), lost]).toEqual([30, []]);
  });
});

describe('a hook that is removed', () => {
  const goings: [string, string, () => Promise<unknown>][] = [
    ['is deleted', 'hook_deleted', () => ground.hooks.remove(projectId)],
    ['is switched off', 'hook_deactivated', () => ground.saveHook(projectId, { active: false })],
    [
      'goes with its project',
      'project_deleted',
      async () => {
        await ground.deleteProject(projectId);
        await ground.hooks.removeOfDeletedProjects([projectId]);
      },
    ],
  ];

  it.each(goings)('drops its waiting changes when it %s', async (_name, reason, go) => {
    const [served, unserved] = [testBlog(projectId).published(), testBlog(projectId).published()];
    await ground.take(served);
    await ground.serve(served, AT_ONCE);
    await ground.take(unserved);
    await go();
    expect(await ground.history(projectId)).toMatchObject([{ status: 'cancelled', reason, next_attempt_at: null }]);
    expect(await waitingChanges()).toBe(0);
    await expect(claim()).rejects.toThrow('nothing was claimed');
  });

  it.each(goings)('lets the request under way end, without a retry, when it %s', async (_name, reason, go) => {
    const event = testBlog(projectId).published();
    await ground.take(event);
    await ground.serve(event, AT_ONCE);
    const claimed = await claim();
    await go();
    expect(await ground.requests.record(claimed, retryIn(0))).toBe('cancelled');
    expect(await ground.history(projectId)).toMatchObject([
      { status: 'cancelled', reason, attempts: [{ reason: 'timeout' }] },
    ]);
  });

  it('is not removed from an existing project', async () => {
    await ground.hooks.removeOfDeletedProjects([projectId]);
    expect(await ground.hooks.find(projectId)).not.toBeNull();
  });

  it('is not saved for a deleted project', async () => {
    await ground.deleteProject(projectId);
    const hook = { projectId, method: 'POST', sealedUrl: 'x', sealedParts: 'x', active: true } as const;
    expect(await ground.hooks.save(hook)).toEqual({ kind: 'project_gone' });
  });

  it('gets no claims once its project is deleted', async () => {
    const event = testBlog(projectId).published();
    await ground.take(event);
    await ground.serve(event, AT_ONCE);
    await ground.deleteProject(projectId);
    await expect(claim()).rejects.toThrow('nothing was claimed');
    expect(await ground.requests.startTest(projectId, 1_000)).toEqual({ kind: 'no_hook' });
  });
});
