import { eventually } from '@blog-content/testing';
import { sendJson, sendStream, startModelServer, type ModelServer } from '../../test/model-server.ts';
import { startOwner, type Owner } from '../../test/owner.ts';
import { newPerson } from '../../test/people.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let first: Owner;
let owner: Owner;
let writing: ModelServer;
beforeAll(async () => {
  writing = await startModelServer();
  service = await startRunningService({ WORK_POLL_MS: '50' });
  first = await startOwner(service);
});
beforeEach(async () => {
  owner = await first.inNewProject();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await writing[Symbol.asyncDispose]();
});

const SETTINGS = { enabled: true, time_zone: 'Europe/Berlin', days: ['mon', 'thu'], times: ['09:00'] };
const set = async (fields: object = {}, to = owner) =>
  (await to.call('PUT', '/autopilot', { json: { ...SETTINGS, ...fields } })).body;
/** What is made without a model is an outline, which only a person publishes. */
const useModel = async () => {
  const settings = { base_url: writing.url, model: 'test-model', input_price: 1, output_price: 2 };
  expect((await owner.call('PUT', '/generation-settings', { json: settings })).status).toBe(200);
};
const get = async () => (await owner.get('/autopilot')).body;
const add = async (...topics: string[]) =>
  (await owner.post('/autopilot/topics', { topics: topics.map((topic) => ({ topic })) })).body.items as {
    id: string;
  }[];
const topics = async (status = 'queued') =>
  (await owner.get(`/autopilot/topics?status=${status}`)).body.items as {
    id: string;
    topic: string;
    status: string;
    blog_id: string;
    generation_id: string;
    publish_at: string | null;
    failure: string | null;
  }[];
const names = async (status?: string) => (await topics(status)).map(({ topic }) => topic);
/** As if its time had come, however long ago. */
const makeDue = (time = '2020-01-01T00:00:00Z') =>
  service.query('update autopilot set next_run_at = $2 where project_id = $1 and enabled', [owner.project, time]);
const stoppedEvents = async () =>
  (
    await service.query<{ data: { reason: string; goes_on: string } }>(
      `select data from outbox where topic = 'blog.autopilot' and key = $1 order by position`,
      [owner.project],
    )
  ).map(({ data }) => `${data.reason} ${data.goes_on}`);
const runOnce = async (status = 'made', count = 1) => {
  await makeDue();
  return eventually(async () => {
    const found = await topics(status);
    expect(found).toHaveLength(count);
    return found;
  });
};

describe('the settings of an autopilot', () => {
  it('are off, with nothing published, before somebody sets them', async () => {
    expect(await get()).toMatchObject({ enabled: false, status: 'off', publish: 'draft_only', next_run_at: null });
  });

  it('turn it on with its next time, and off without one', async () => {
    const on = await set({ per_week: 1 });
    expect(on).toMatchObject({ status: 'running', reason: null, per_week: 1, review_hours: 24 });
    expect(new Date(on.next_run_at).getTime()).toBeGreaterThan(Date.now());
    expect(await set({ enabled: false })).toMatchObject({ status: 'off', next_run_at: null });
  });

  it('are for owners; members see them, pause and resume', async () => {
    const editor = await newPerson(service, owner.token, { project_id: owner.project, role: 'editor' });
    const as = (method: 'GET' | 'PUT' | 'POST', path: string, json?: unknown) =>
      service.call(method, `projects/${owner.project}${path}`, { token: editor.token, json });
    expect((await as('PUT', '/autopilot', SETTINGS)).status).toBe(403);
    await set();
    expect((await as('POST', '/autopilot/pause')).body).toMatchObject({ status: 'paused', next_run_at: null });
    expect((await as('POST', '/autopilot/resume')).body).toMatchObject({ status: 'running' });
    expect((await as('GET', '/autopilot')).status).toBe(200);
  });

  it.each([
    ['a time zone that is none', { time_zone: 'Europe/Nowhere' }, 'time_zone'],
    ['no day', { days: [] }, 'days'],
    ['a day twice', { days: ['mon', 'mon'] }, 'days'],
    ['a time that is none', { times: ['24:00'] }, 'times.0'],
    ['more a week than there are times', { per_week: 3 }, 'per_week'],
    ['a long window', { review_hours: 169 }, 'review_hours'],
    ['a budget below nothing', { monthly_cost: -1 }, 'monthly_cost'],
  ])('with %s are refused', async (_what, fields, field) => {
    const answer = await owner.call('PUT', '/autopilot', { json: { ...SETTINGS, ...fields } });
    expect([answer.status, answer.body.errors?.map((error: { field: string }) => error.field)]).toEqual([422, [field]]);
  });

  it('must be set before it can be paused', async () => {
    expect((await owner.post('/autopilot/pause')).status).toBe(409);
  });
});

describe('the queue of topics', () => {
  it('keeps its order, and lets topics be moved, edited and deleted', async () => {
    const [a, b, c] = await add('A', 'B', 'C');
    expect(await names()).toEqual(['A', 'B', 'C']);
    await owner.post(`/autopilot/topics/${c?.id}/move`, { before: a?.id });
    expect(await names()).toEqual(['C', 'A', 'B']);
    await owner.post(`/autopilot/topics/${c?.id}/move`, { before: null });
    expect(await names()).toEqual(['A', 'B', 'C']);
    await owner.patch(`/autopilot/topics/${b?.id}`, { topic: 'Bee', keyword: 'bees' });
    await owner.remove(`/autopilot/topics/${a?.id}`);
    expect(await names()).toEqual(['Bee', 'C']);
    expect((await owner.post(`/autopilot/topics/${c?.id}/move`, { before: a?.id })).status).toBe(422);
    const page = (await owner.get('/autopilot/topics?limit=1')).body;
    expect((await owner.get(`/autopilot/topics?limit=1&cursor=${page.next_cursor}`)).body.items[0].topic).toBe('C');
  });

  it('is of one project', async () => {
    const [topic] = await add('A');
    const other = await owner.inNewProject();
    for (const answer of [
      await other.patch(`/autopilot/topics/${topic?.id}`, { topic: 'Mine' }),
      await other.remove(`/autopilot/topics/${topic?.id}`),
      await other.post(`/autopilot/topics/${topic?.id}/move`, { before: null }),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect(await names()).toEqual(['A']);
  });

  it('has a thousand topics at most, also when they come at the same time', async () => {
    const hundred = (n: number) => Array.from({ length: 100 }, (_x, i) => ({ topic: `${n} ${i}` }));
    const added = await Promise.all(
      Array.from({ length: 11 }, (_x, n) => owner.post('/autopilot/topics', { topics: hundred(n) })),
    );
    expect(added.map(({ status }) => status).toSorted()).toEqual([...Array<number>(10).fill(201), 409]);
    expect((await get()).queued_topics).toBe(1_000);
  });

  it('takes topics from CSV, and says which rows it left out', async () => {
    const csv =
      'Keyword;Topic;Sources\nbees;Bees at night;https://a.example https://b.example\n;;\nx;"Wasps; and more";nope\n;Hornets;';
    const { status, body } = await owner.post('/autopilot/topics/import', { csv });
    expect([status, body.skipped]).toEqual([201, [{ row: 4, message: 'sources is invalid' }]]);
    expect(await names()).toEqual(['Bees at night', 'Hornets']);
  });

  it('suggests what the project has no post about, and adds none of it', async () => {
    await owner.newBlog({ title: 'A', categories: ['Drinks'], tags: ['tea', 'hot'] });
    await owner.newBlog({ title: 'B', categories: ['Cakes'], tags: ['tea', 'sweet'] });
    const { items, by } = (await owner.post('/autopilot/topics/suggest')).body;
    expect(by).toBe('offline');
    expect(items.map(({ topic }: { topic: string }) => topic)).toEqual(
      expect.arrayContaining(['Drinks: sweet', 'Cakes: hot']),
    );
    expect(items.length).toBeLessThanOrEqual(10);
    expect(await names()).toEqual([]);
  });
});

describe('suggestions by a model', () => {
  const suggest = async () => (await owner.post('/autopilot/topics/suggest')).body;
  const topic = (name: string, more: object = {}) => ({ topic: name, keyword: 'k', because: 'It lacks.', ...more });

  it('are as many as asked for, new, plain text, and charged to the month', async () => {
    await using model = await startModelServer();
    const settings = { base_url: model.url, model: 'test-model', input_price: 1, output_price: 2 };
    expect((await owner.call('PUT', '/generation-settings', { json: settings })).status).toBe(200);
    await owner.newBlog({ title: 'Black tea' });
    await add('White tea');
    const topics = [
      topic('black TEA'),
      topic('white tea'),
      topic('**Green** tea\n[INTERNAL:x]', { keyword: '' }),
      topic('x'.repeat(5_000)),
      ...Array.from({ length: 20 }, (_x, n) => topic(`Tea ${n}`)),
    ];
    model.answer = (_asked, response) => sendStream(response, { topics });
    const { items, by } = await suggest();
    expect(by).toBe('test-model');
    expect(items).toHaveLength(10);
    expect(items.slice(0, 3)).toEqual([topic('Green tea', { keyword: null }), topic('x'.repeat(300)), topic('Tea 0')]);
    const asked = JSON.stringify(model.asked[0]?.body.messages);
    expect(asked).toContain('Black tea');
    expect(asked).toContain('White tea');
    const [month] = await service.query('select * from generation_month where project_id = $1', [owner.project]);
    expect(month).toMatchObject({ input_tokens: '100', output_tokens: '50', charged_tokens: '150' });
  });

  it('go by the notes of the project', async () => {
    await using model = await startModelServer();
    await owner.call('PUT', '/generation-settings', { json: { base_url: model.url, model: 'test-model' } });
    await owner.call('PUT', '/brand-voice', { json: { audience: 'People who drink tea', words_to_avoid: ['cheap'] } });
    model.answer = (_asked, response) => sendStream(response, { topics: [topic('Green tea')] });
    expect((await suggest()).by).toBe('test-model');
    const asked = model.asked[0]?.body.messages.at(-1)?.content;
    expect(asked).toContain('\nReaders: "People who drink tea"\nWords and phrases never to write: ["cheap"]\n\nPosts');
  });

  it('are made without it when it fails, or its budget is used up', async () => {
    await using model = await startModelServer();
    const settings = { base_url: model.url, model: 'test-model', input_price: 1, output_price: 2 };
    await owner.call('PUT', '/generation-settings', { json: settings });
    await owner.newBlog({ title: 'A', tags: ['tea'] });
    model.answer = (_asked, response) => sendJson(response, { error: { message: 'no' } }, 401);
    expect(await suggest()).toMatchObject({ by: 'offline', items: [{ topic: 'tea' }] });
    await owner.call('PUT', '/generation-settings', { json: { ...settings, month_budget: 0 } });
    const before = model.asked.length;
    expect((await suggest()).by).toBe('offline');
    expect(model.asked).toHaveLength(before);
  });
});

describe('an autopilot whose time has come', () => {
  it('makes a draft of its next topic, and publishes nothing', async () => {
    await set({ defaults: { language: 'de', length: 300 } });
    await add('First', 'Second');
    const [made] = await runOnce();
    expect(made).toMatchObject({ topic: 'First', publish_at: null, failure: null });
    const blog = await owner.show({ id: made?.blog_id ?? '' });
    expect(blog).toMatchObject({ state: 'draft', publish_at: null, title: 'First' });
    expect(await names()).toEqual(['Second']);
    const now = await get();
    expect(now).toMatchObject({ status: 'running', posts_this_month: 1, queued_topics: 1 });
    expect(new Date(now.next_run_at).getTime()).toBeGreaterThan(Date.now());
    expect((await owner.get(`/generations/${made?.generation_id}`)).body.origin).toBe(`autopilot:${made?.id}`);
  });

  it('takes one topic after an outage, however many times it has missed', async () => {
    await set();
    await add('One', 'Two', 'Three');
    await runOnce();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await names()).toEqual(['Two', 'Three']);
  });

  it('publishes no outline, which is what is made without a model', async () => {
    await set({ publish: 'after_review', review_hours: 0 });
    await add('Outline');
    const [made] = await runOnce();
    expect(made).toMatchObject({ status: 'made', publish_at: null });
    expect(await owner.show({ id: made?.blog_id ?? '' })).toMatchObject({ state: 'draft', publish_at: null });
  });

  it('publishes as autopilot when the review window has ended', async () => {
    await useModel();
    await set({ publish: 'after_review', review_hours: 0 });
    await add('Out');
    const [made] = await runOnce();
    const blog = { id: made?.blog_id ?? '' };
    await eventually(async () => expect((await owner.show(blog)).state).toBe('published'));
    expect((await owner.eventsOf(blog)).map(({ event, trigger }) => `${event} ${trigger}`)).toEqual([
      'blog.published autopilot',
    ]);
    expect((await owner.get('/publishes')).body.items).toMatchObject([{ trigger: 'autopilot' }]);
  });

  it('leaves a draft that was stopped in its review window, and publishes what a member schedules as manual', async () => {
    await useModel();
    await set({ publish: 'after_review', review_hours: 24 });
    await add('Stopped');
    const [made] = await runOnce();
    expect(made?.publish_at).not.toBeNull();
    expect((await owner.get('/schedules')).body.items).toMatchObject([
      { blog_id: made?.blog_id, trigger: 'autopilot' },
    ]);
    expect((await owner.remove(`/blogs/${made?.blog_id}/schedule`)).status).toBe(204);
    expect((await topics('made'))[0]?.publish_at).toBeNull();
    const publish_at = new Date(Date.now() + 3_600_000).toISOString();
    const scheduled = await owner.call('PUT', `/blogs/${made?.blog_id}/schedule`, { json: { publish_at } });
    expect(scheduled.body.trigger).toBe('manual');
    await service.query('update blog set publish_at = now() where id = $1', [made?.blog_id]);
    const blog = { id: made?.blog_id ?? '' };
    await eventually(async () => expect((await owner.eventsOf(blog))[0]?.trigger).toBe('manual'));
  });

  it.each(['paused', 'turned off', 'set to drafts only'])(
    'that is %s keeps posts in their review window as drafts',
    async (how) => {
      await useModel();
      await set({ publish: 'after_review' });
      await add('Held');
      const [made] = await runOnce();
      const mine = await owner.newBlog();
      const publish_at = new Date(Date.now() + 3_600_000).toISOString();
      await owner.call('PUT', `/blogs/${mine.id}/schedule`, { json: { publish_at } });
      if (how === 'paused') await owner.post('/autopilot/pause');
      else await set(how === 'turned off' ? { enabled: false } : {});
      expect((await owner.show({ id: made?.blog_id ?? '' })).publish_at).toBeNull();
      expect((await owner.show(mine)).publish_at).toBe(publish_at);
    },
  );

  it('waits while it has no topic, says so once, and goes on at its next time when it gets some', async () => {
    await set();
    await makeDue();
    await eventually(async () => expect(await get()).toMatchObject({ status: 'waiting', reason: 'empty_queue' }));
    expect((await get()).next_run_at).toBeNull();
    await add('New');
    const now = await get();
    expect(now).toMatchObject({ status: 'running', reason: null });
    expect(new Date(now.next_run_at).getTime()).toBeGreaterThan(Date.now());
    expect(await stoppedEvents()).toEqual(['empty_queue by_itself']);
  });

  it('waits when its budget is used up, loses no topic, and goes on when it is raised', async () => {
    await set({ monthly_posts: 1 });
    await add('Within', 'Beyond');
    await runOnce();
    await makeDue();
    await eventually(async () => expect(await get()).toMatchObject({ status: 'waiting', reason: 'budget' }));
    const until = new Date((await get()).next_run_at).getTime() - Date.now();
    expect(until).toBeGreaterThan(0);
    // Its next time, and not one of the next month.
    expect(until).toBeLessThan(8 * 24 * 3_600_000);
    expect(await names()).toEqual(['Beyond']);
    expect(await stoppedEvents()).toEqual(['budget by_itself']);
    expect(await set({ monthly_posts: 2 })).toMatchObject({ status: 'running', reason: null });
    await runOnce('made', 2);
  });

  it('goes on by itself when the budget of generation is raised that it had waited for', async () => {
    await using model = await startModelServer();
    const settings = { base_url: model.url, model: 'test-model', input_price: 1, output_price: 2 };
    await owner.call('PUT', '/generation-settings', { json: { ...settings, month_budget: 0 } });
    await set();
    await add('A');
    for (let looked = 0; looked < 2; looked += 1) {
      await makeDue();
      // Its second round sees what the first saw; that it took place shows in its next time alone.
      await eventually(async () => {
        const { next_run_at, ...state } = await get();
        expect(state).toMatchObject({ status: 'waiting', reason: 'budget' });
        expect(new Date(next_run_at).getTime()).toBeGreaterThan(Date.now());
      });
    }
    expect(await stoppedEvents()).toEqual(['budget by_itself']);
    await owner.call('PUT', '/generation-settings', { json: { ...settings, month_budget: 10 } });
    await runOnce();
    expect(await get()).toMatchObject({ status: 'running', reason: null });
  });

  it('stops when three posts in a row could not be made, says so, and goes on when it is resumed', async () => {
    await set({ publish: 'after_review', review_hours: 0 });
    await add('1', '2', '3', '4');
    // A project with all the blogs that it may have.
    await service.query('update project set kept_blogs = 100000 where id = $1', [owner.project]);
    for (let failures = 1; failures <= 3; failures += 1) {
      await runOnce('failed', failures);
      expect((await get()).failures_in_a_row).toBe(failures);
    }
    expect(await get()).toMatchObject({ status: 'stopped', reason: 'repeated_failure', next_run_at: null });
    expect(await stoppedEvents()).toEqual(['repeated_failure when_resumed']);
    expect((await topics('failed'))[0]?.failure).toContain('100000 posts');
    await service.query('update project set kept_blogs = 0 where id = $1', [owner.project]);
    await owner.post('/autopilot/resume');
    const [failed] = await topics('failed');
    await owner.patch(`/autopilot/topics/${failed?.id}`, { status: 'queued' });
    expect(await names()).toEqual(['4', '3']);
    await runOnce('made', 1);
    expect(await get()).toMatchObject({ status: 'running', failures_in_a_row: 0 });
  });

  it('goes with its project', async () => {
    await set();
    await add('Gone');
    await owner.call('DELETE', `projects/${owner.project}`);
    await eventually(async () => {
      const rows = await service.query(
        'select project_id from autopilot where project_id = $1 union all select project_id from autopilot_topic where project_id = $1',
        [owner.project],
      );
      expect(rows).toEqual([]);
    });
  });
});
