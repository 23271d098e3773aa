import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { createLogger, type Logger } from '@blog-content/service-runtime';
import { startOwner, type Owner } from '../../test/owner.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';
import { NO_EMAIL } from '../email/email-queue-store.ts';
import { createBudgetStore } from '../generation/budget/budget-store.ts';
import type { ClaimedJob } from '../generation/jobs/job.ts';
import { createJobLeaseStore, type JobLeaseStore } from '../generation/jobs/job-lease-store.ts';
import { openDatabase, type Database } from '../platform/database/open-database.ts';
import { createDueAutopilotStore } from './due-autopilot-store.ts';
import { startAutopilots } from './fire-autopilots.ts';
import { hearJobEnd } from './topic-end-store.ts';

const resources = new AsyncDisposableStack();
const clock = () => new Date();
let service: RunningService;
let first: Owner;
let owner: Owner;
let database: Database;
let jobs: JobLeaseStore;
beforeAll(async () => {
  // What takes topics and works on jobs is this test, step by step.
  service = resources.use(await startRunningService({ GENERATION_SLOTS: '0', WORK_POLL_MS: '60000' }));
  database = openDatabase(service.databaseUrl, 3, () => undefined);
  resources.defer(() => database.$disconnect());
  jobs = createJobLeaseStore(database, clock, (tx, end) => hearJobEnd(tx, end, clock(), NO_EMAIL.notifyOwners));
  first = await startOwner(service);
});
beforeEach(async () => {
  owner = await first.inNewProject();
  await owner.post('/autopilot/topics', { topics: [{ topic: 'A' }, { topic: 'B' }] });
});
afterAll(() => resources.disposeAsync());

const set = async (fields: object) => {
  const json = { enabled: true, time_zone: 'UTC', days: ['mon'], times: ['09:00'], ...fields };
  expect((await owner.call('PUT', '/autopilot', { json })).status).toBe(200);
};
const get = async () => (await owner.get('/autopilot')).body;
const names = async () =>
  (await owner.get('/autopilot/topics')).body.items.map(({ topic }: { topic: string }) => topic) as string[];
const allow = () => Promise.resolve(null);
const fire = async (refusePost: () => Promise<{ field: string | null } | null> = allow) => {
  await service.query(`update autopilot set next_run_at = now() - interval '1 minute' where project_id = $1`, [
    owner.project,
  ]);
  return createDueAutopilotStore(database, clock, refusePost, NO_EMAIL.notifyOwners).fire(owner.project);
};
const told = async () =>
  (await service.query(`select data from outbox where topic = 'blog.autopilot' and key = $1`, [owner.project])).length;
async function claim(): Promise<ClaimedJob> {
  // A machine's clock may step back: the job is due a moment later then.
  const job = await eventually(async () => {
    const claimed = await jobs.claim(60_000);
    if (claimed === null) throw new Error('No job is due.');
    return claimed;
  });
  if (job.projectId !== owner.project) throw new Error('Another job was claimed.');
  return job;
}
const budgets = { job: { tokens: 1_000, micros: 5_000_000 }, month: { tokens: 1_000, micros: 9_000_000 } };
const usedUp = { code: 'month_budget', message: 'Used up.' };
const charge = (job: ClaimedJob, micros: number) =>
  createBudgetStore(database, clock).reserve(job, { tokens: 1, micros }, budgets);

it('autopilots that are due take turns by who has set them up, however many projects one has', async () => {
  const hours = (ago: number) => new Date(Date.now() - ago * 3_600_000);
  const [many, one] = [randomUUID(), randomUUID()];
  const autopilot = (setBy: string, nextRunAt: Date) =>
    ({ projectId: randomUUID(), setBy, nextRunAt, enabled: true, settings: {}, state: 'running', month: '' }) as const;
  const ofMany = [9, 8, 7, 6].map((ago) => autopilot(many, hours(ago)));
  const ofOne = [autopilot(one, hours(1))];
  await database.autopilot.createMany({ data: [...ofMany, ...ofOne] });
  const autopilots = createDueAutopilotStore(database, clock, allow, NO_EMAIL.notifyOwners);
  const due = await autopilots.due(2);
  await database.autopilot.deleteMany({ where: { setBy: { in: [many, one] } } });
  expect([...due.values()].flat()).toEqual([ofMany[0]?.projectId, ofOne[0]?.projectId]);
});

describe('the budget of an autopilot', () => {
  it('is never overdrawn: what is left of it is the most that its next job may be charged', async () => {
    await set({ monthly_cost: 3 });
    await fire();
    const job = await claim();
    await charge(job, 2_000_000);
    await expect(charge(job, 1_000_001)).rejects.toMatchObject({ code: 'month_budget' });
    await charge(job, 1_000_000);
    await jobs.fail(job, usedUp);
    expect(await get()).toMatchObject({
      cost_this_month: 3,
      status: 'waiting',
      reason: 'budget',
      failures_in_a_row: 0,
    });
  });

  it('that ends amid a post keeps the topic first in the queue', async () => {
    await set({ monthly_cost: 3 });
    await fire();
    await jobs.fail(await claim(), usedUp);
    expect(await names()).toEqual(['A', 'B']);
    await set({ monthly_cost: 4 });
    expect(await fire()).toMatchObject({ outcome: 'topic_taken' });
    expect(await names()).toEqual(['B']);
    await jobs.fail(await claim(), { code: 'other', message: 'Broken.' });
    expect(await names()).toEqual(['B']);
    expect((await get()).failures_in_a_row).toBe(1);
  });

  it('of generation is waited for, too: nothing is taken before it allows a post', async () => {
    await set({});
    expect(await fire(() => Promise.resolve({ field: null }))).toMatchObject({ outcome: 'budget', jobId: null });
    expect(await get()).toMatchObject({ status: 'waiting', reason: 'budget' });
    expect(await names()).toEqual(['A', 'B']);
  });

  it('is looked at again at each of its times: it goes on when the month renews, though nobody does anything', async () => {
    await set({ monthly_posts: 1, days: ['mon', 'thu'] });
    await fire();
    await jobs.fail(await claim(), usedUp);
    await service.query('update autopilot set month_posts = 1 where project_id = $1', [owner.project]);
    let now = new Date();
    const autopilots = createDueAutopilotStore(database, () => now, allow, NO_EMAIL.notifyOwners);
    const outcomes: string[] = [];
    const month = now.getUTCMonth();
    while (outcomes.at(-1) !== 'topic_taken' && outcomes.length < 12) {
      now = new Date((await get()).next_run_at);
      expect([...(await autopilots.due(100)).values()].flat()).toContain(owner.project);
      const fired = await autopilots.fire(owner.project);
      outcomes.push(fired?.outcome ?? 'none');
      expect(fired?.outcome).toBe(now.getUTCMonth() === month ? 'budget' : 'topic_taken');
    }
    expect(outcomes.at(-1)).toBe('topic_taken');
    expect(await told()).toBe(1);
    await jobs.fail(await claim(), usedUp);
  });

  it('of generation that ends amid a post is waited for, however often, told once, and no failure', async () => {
    await set({});
    for (let times = 0; times < 4; times += 1) {
      expect(await fire()).toMatchObject({ outcome: 'topic_taken' });
      expect(await get()).toMatchObject({ status: 'running', reason: null });
      await jobs.fail(await claim(), usedUp);
      expect(await get()).toMatchObject({ status: 'waiting', reason: 'budget', failures_in_a_row: 0 });
    }
    expect(await names()).toEqual(['A', 'B']);
    expect(await told()).toBe(1);
  });

  it('of one generation that a post is beyond is a failure of its topic', async () => {
    await set({ monthly_cost: 9 });
    await fire();
    const job = await claim();
    const refused: unknown = await charge(job, 5_000_001).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'budget' });
    await jobs.fail(job, refused as { code: string; message: string });
    expect(await get()).toMatchObject({ status: 'running', reason: null, failures_in_a_row: 1 });
    expect(await names()).toEqual(['B']);
  });

  it('counts each month anew', async () => {
    await set({ monthly_posts: 1, monthly_cost: 1 });
    const spend = (month: string) =>
      service.query('update autopilot set month = $2, month_posts = 1, month_micros = 1000000 where project_id = $1', [
        owner.project,
        month,
      ]);
    await spend(new Date().toISOString().slice(0, 7));
    expect(await fire()).toMatchObject({ outcome: 'budget' });
    await spend('2020-01');
    expect(await get()).toMatchObject({ posts_this_month: 0, cost_this_month: 0 });
    expect(await fire()).toMatchObject({ outcome: 'topic_taken' });
    await jobs.fail(await claim(), { code: 'other', message: 'Broken.' });
  });

  it('costs nothing where a job is cancelled before it begins, which is no failure', async () => {
    await set({});
    const fired = await fire();
    expect((await owner.post(`/generations/${fired?.jobId}/cancel`)).body.status).toBe('cancelled');
    const { items } = (await owner.get('/autopilot/topics?status=cancelled')).body;
    expect(items).toMatchObject([{ topic: 'A', generation_id: fired?.jobId }]);
    expect(await get()).toMatchObject({ status: 'running', failures_in_a_row: 0, cost_this_month: 0 });
  });
});

describe('an autopilot that something is wrong with', () => {
  it('is tried again a minute later, and keeps nobody else from firing', async () => {
    await set({});
    const broken = owner.project;
    owner = await first.inNewProject();
    await owner.post('/autopilot/topics', { topics: [{ topic: 'C' }] });
    await set({});
    await service.query(
      `update autopilot set next_run_at = now() - interval '1 minute', settings = case when project_id = $1 then '{}' else settings end
       where project_id = any ($2::uuid[])`,
      [broken, [broken, owner.project]],
    );
    const errors: string[] = [];
    const logger = { ...createLogger('test', 'error'), error: (event: string) => void errors.push(event) } as Logger;
    const autopilots = createDueAutopilotStore(database, clock, allow, NO_EMAIL.notifyOwners);
    const stopping = new AbortController().signal;
    const runner = startAutopilots({
      autopilots,
      wake: () => undefined,
      logger,
      dueWatch: { add: () => undefined },
      stopping,
    });
    await jobs.fail(await claim(), { code: 'other', message: 'Broken.' });
    await runner.stop();
    expect(errors).toEqual(['autopilot.failed']);
  });
});

describe('a post that is made while its autopilot is no longer to publish', () => {
  it.each([
    ['running', null, true],
    ['paused', () => owner.post('/autopilot/pause'), false],
    ['off', () => set({ enabled: false }), false],
    ['set to drafts only', () => set({ publish: 'draft_only' }), false],
  ])('of one that is %s: scheduled or a draft', async (_what, change, isScheduled) => {
    await set({ publish: 'after_review', review_hours: 5 });
    await fire();
    const job = await claim();
    await change?.();
    const blog = await owner.newBlog();
    const finish = () => Promise.resolve({ blogId: blog.id });
    await jobs.succeed(job, { kind: 'done', writer: 'test', report: null, finish });
    expect((await owner.show(blog)).publish_at !== null).toBe(isScheduled);
    expect((await owner.get('/autopilot/topics?status=made')).body.items).toMatchObject([{ blog_id: blog.id }]);
  });
});
