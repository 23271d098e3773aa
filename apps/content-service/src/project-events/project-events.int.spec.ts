import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { toEnvelope } from '@blog-content/event-log';
import { deliveriesTopic, servedTopic, type BlogServedEvent, type DeliveryEvent } from '@blog-content/payload-schemas';
import { createLogger } from '@blog-content/service-runtime';
import { eventually } from '@blog-content/testing';
import type { Response } from 'express';
import pg from 'pg';
import { newPerson } from '../../test/people.ts';
import { startOwner, type Owner } from '../../test/owner.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { createProjectEventStore, addProjectEvents, MAX_EVENTS_AT_ONCE } from './project-event-store.ts';
import { createProjectWatch, MAX_STREAMS_OF_ACCOUNT } from './watch-projects.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

interface HeardStream {
  readonly id: string | undefined;
  readonly event: string;
  // The tests read many shapes.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly data: any;
}

interface Stream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  readonly heard: HeardStream[];
  readonly ended: Promise<void>;
  of(event: string): HeardStream[];
}

async function watch(
  { token, project }: Pick<Owner, 'token' | 'project'>,
  { lastId, origin = service.origin }: { lastId?: string | undefined; origin?: string } = {},
): Promise<Stream> {
  const left = new AbortController();
  const answer = await fetch(`${origin}/blog/api/v1/owner/projects/${project}/events`, {
    headers: { authorization: `Bearer ${token}`, ...(lastId !== undefined && { 'last-event-id': lastId }) },
    signal: left.signal,
  });
  const heard: HeardStream[] = [];
  const read = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      const parts = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1];
        const data = field('data');
        if (data !== undefined) heard.push({ id: field('id'), event: field('event') ?? '', data: JSON.parse(data) });
      }
    }
  };
  const ended = read().catch(() => undefined);
  const stream: Stream = {
    status: answer.status,
    headers: answer.headers,
    heard,
    ended,
    of: (event) => heard.filter((one) => one.event === event),
    async [Symbol.asyncDispose]() {
      left.abort();
      await ended;
    },
  };
  if (answer.status === 200) await eventually(() => Promise.resolve(expect(stream.of('ready')).not.toEqual([])));
  return stream;
}
const hears = (stream: Stream, event: string, data: object) =>
  eventually(() =>
    Promise.resolve(expect(stream.of(event).map((one) => one.data)).toContainEqual(expect.objectContaining(data))),
  );
const lastIdOf = (stream: Stream) => stream.heard.findLast(({ id }) => id !== undefined)?.id;

describe('the events of a project', () => {
  it('begin with ready, for who reads all that it shows, and pass through proxies', async () => {
    await using stream = await watch(owner);
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect([stream.headers.get('cache-control'), stream.headers.get('x-accel-buffering')]).toEqual(['no-store', 'no']);
    expect(stream.heard).toEqual([{ id: expect.any(String), event: 'ready', data: { resumed: false } }]);
  });

  it('are read all anew where they are too many at once, and nobody else has to for that', async () => {
    const [crowded, other] = [await owner.inNewProject(), await owner.inNewProject()];
    await using crowdedStream = await watch(crowded);
    await using otherStream = await watch(other);
    await service.query(
      `insert into project_event (xid, project_id, data)
       select pg_current_xact_id()::text::bigint, $1, '{"event": "blog.changed"}' from generate_series(1, $2)`,
      [crowded.project, MAX_EVENTS_AT_ONCE + 1],
    );
    await eventually(() => Promise.resolve(expect(crowdedStream.of('ready')).toHaveLength(2)));
    expect(crowdedStream.of('ready')[1]?.data).toEqual({ resumed: false });
    const blog = await other.newBlog();
    await hears(otherStream, 'blog.changed', { blog_id: blog.id });
    expect(otherStream.of('ready')).toHaveLength(1);
  });

  it('tell of a new draft, its saves, a publish, its way to readers and its deliveries, schedules, unpublish and delete', async () => {
    const to = await owner.inNewProject();
    await using stream = await watch(to);
    const blog = await to.newBlog();
    await hears(stream, 'blog.changed', { blog_id: blog.id, state: 'draft' });
    const saved = await to.call('PATCH', `/blogs/${blog.id}`, { json: { title: 'Saved' } });
    await to.call('PATCH', `/blogs/${blog.id}`, { json: { title: 'Saved' } });
    await hears(stream, 'blog.changed', { blog_id: blog.id, state: 'draft', version: saved.body.version });
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await to.call('PUT', `/blogs/${blog.id}/schedule`, { json: { publish_at: at } });
    await hears(stream, 'schedule.changed', { blog_id: blog.id, publish_at: at });
    await to.remove(`/blogs/${blog.id}/schedule`);
    await hears(stream, 'schedule.changed', { blog_id: blog.id, publish_at: null });
    const publishId = (await to.publish(blog)).body.id as string;
    const of = { publish_id: publishId, blog_id: blog.id };
    await hears(stream, 'publish.changed', { ...of, status: 'requested' });
    await hears(stream, 'blog.changed', { blog_id: blog.id, state: 'published' });

    const lifecycleEventId = randomUUID();
    const [deliveryId, integrationId] = [randomUUID(), randomUUID()];
    const common = { ...of, project_id: to.project, lifecycle_event_id: lifecycleEventId };
    const ofDelivery = { delivery_id: deliveryId, integration_id: integrationId };
    const told: DeliveryEvent[] = [
      {
        event: 'deliveries.planned',
        ...common,
        deliveries: [{ ...ofDelivery, receiver: 'receiver.example' }],
      },
      {
        event: 'delivery.finished',
        ...common,
        ...ofDelivery,
        outcome: 'failed',
        reason: 'timeout',
        detail: null,
        attempts: 1,
        status_code: null,
        live_url: null,
        external_id: null,
        finished_at: new Date().toISOString(),
      },
      {
        event: 'integration.failing',
        project_id: to.project,
        integration_id: integrationId,
        receiver: 'receiver.example',
        failing_since: new Date().toISOString(),
        failed_deliveries: 3,
        reason: 'timeout',
        detail: null,
      },
    ];
    await service.eventLog.append(told.map((event) => toEnvelope(deliveriesTopic, event, { source: '/test' })));
    await hears(stream, 'publish.changed', { ...of, status: 'planned' });
    await hears(stream, 'delivery.changed', { ...of, ...ofDelivery, status: 'pending' });
    await hears(stream, 'delivery.changed', { ...of, ...ofDelivery, status: 'failed' });
    await hears(stream, 'integration.changed', { integration_id: integrationId, status: 'failing' });
    const served: BlogServedEvent = {
      event: 'blog.served',
      project_id: to.project,
      blog_id: blog.id,
      lifecycle_event_id: lifecycleEventId,
      blog_event_number: 1,
      served_at: new Date().toISOString(),
    };
    await service.eventLog.append([toEnvelope(servedTopic, served, { source: '/test' })]);
    await hears(stream, 'publish.changed', { ...of, status: 'served' });

    await to.post(`/blogs/${blog.id}/unpublish`);
    await hears(stream, 'blog.changed', { blog_id: blog.id, state: 'unpublished' });
    await to.remove(`/blogs/${blog.id}`);
    await hears(stream, 'blog.changed', { blog_id: blog.id, state: 'deleted' });
  });

  it('tell of generations until they end', async () => {
    const to = await owner.inNewProject();
    await using stream = await watch(to);
    const { body } = await to.post('/blogs/generate', { topic: 'Tea', outline: ['Water'] });
    await hears(stream, 'generation.changed', { generation_id: body.id, status: 'waiting' });
    await hears(stream, 'generation.changed', { generation_id: body.id, status: 'succeeded' });
  });

  it('tell of an autopilot that is set up, paused, resumed and turned off', async () => {
    const to = await owner.inNewProject();
    await using stream = await watch(to);
    const settings = { time_zone: 'UTC', days: ['mon'], times: ['09:30'] };
    const statuses = () => stream.of('autopilot.changed').map(({ data }) => data.status);
    await to.call('PUT', '/autopilot', { json: { ...settings, enabled: true } });
    await to.post('/autopilot/pause');
    await to.post('/autopilot/resume');
    await to.call('PUT', '/autopilot', { json: { ...settings, enabled: false } });
    await eventually(() => Promise.resolve(expect(statuses()).toEqual(['running', 'paused', 'running', 'off'])));
  });

  it('are of that project alone', async () => {
    const [mine, other] = [await owner.inNewProject(), await owner.inNewProject()];
    await using stream = await watch(mine);
    const [foreign, own] = [await other.newBlog(), await mine.newBlog()];
    await other.publish(foreign);
    await mine.publish(own);
    await hears(stream, 'blog.changed', { blog_id: own.id });
    expect(JSON.stringify(stream.heard)).not.toContain(foreign.id);
  });
});

describe('who comes back with Last-Event-ID', () => {
  it('gets what it has missed, once, also from another replica', async () => {
    const to = await owner.inNewProject();
    const blog = await to.newBlog();
    let lastId: string | undefined;
    {
      await using stream = await watch(to);
      await to.publish(blog);
      await hears(stream, 'publish.changed', { status: 'requested' });
      lastId = lastIdOf(stream);
    }
    await to.post(`/blogs/${blog.id}/unpublish`);
    const replica = await service.startReplica();
    await using stream = await watch(to, { lastId, origin: replica.origin });
    await hears(stream, 'blog.changed', { state: 'unpublished' });
    expect(stream.heard.map(({ event, data }) => [event, data.resumed ?? data.state])).toEqual([
      ['ready', true],
      ['blog.changed', 'unpublished'],
    ]);
    await using again = await watch(to, { lastId: lastIdOf(stream), origin: replica.origin });
    expect(again.heard.map(({ event }) => event)).toEqual(['ready']);
    await replica.stop();
  });

  it.each([
    ['that is none', () => 'x'],
    ['of another database', () => `${Math.floor(Date.now() / 1_000)}.1:999999999999:`],
    ['from before what is kept', () => `${Math.floor(Date.now() / 1_000) - 3_600}.1:1:`],
    ['from the future', () => `${Math.floor(Date.now() / 1_000) + 3_600}.1:1:`],
  ])('%s is told to read all anew', async (_case, lastId) => {
    await using stream = await watch(owner, { lastId: lastId() });
    expect(stream.of('ready')[0]?.data).toEqual({ resumed: false });
  });

  it('is told to read all anew where there is too much', async () => {
    const to = await owner.inNewProject();
    const first = await watch(to);
    await first[Symbol.asyncDispose]();
    await service.query(
      `insert into project_event (xid, project_id, data)
       select pg_current_xact_id()::text::bigint, $1, '{}' from generate_series(1, 2001)`,
      [to.project],
    );
    await using stream = await watch(to, { lastId: lastIdOf(first) });
    // Once, or once more where the feed of all streams had not come past them yet.
    expect(new Set(stream.heard.map(({ event, data }) => `${event} ${JSON.stringify(data)}`))).toEqual(
      new Set(['ready {"resumed":false}']),
    );
    await service.query('delete from project_event where project_id = $1', [to.project]);
  });
});

describe('what is new', () => {
  it('is told once each, in whatever order transactions commit that have begun in another', async () => {
    const database = openDatabase(service.databaseUrl, 2, () => undefined);
    const store = createProjectEventStore(database, () => new Date());
    const projectId = randomUUID();
    const told = async (snapshot: string) => {
      const news = await store.since(snapshot, projectId);
      return { ...news, blogs: (news.events ?? []).map(({ data }) => 'blog_id' in data && data.blog_id) };
    };
    const slow = new pg.Client({ connectionString: service.databaseUrl });
    await slow.connect();
    const [slowBlog, fastBlog] = [randomUUID(), randomUUID()];
    const start = await store.now();
    await slow.query('begin');
    await slow.query(
      `insert into project_event (xid, project_id, data) values (pg_current_xact_id()::text::bigint, $1, $2)`,
      [projectId, { event: 'blog.changed', blog_id: slowBlog, state: 'deleted' }],
    );
    await database.$transaction((tx) =>
      addProjectEvents(tx, [{ projectId, data: { event: 'blog.changed', blog_id: fastBlog, state: 'deleted' } }]),
    );
    const first = await told(start);
    expect(first.blogs).toEqual([fastBlog]);
    await slow.query('commit');
    const second = await told(first.snapshot);
    expect(second.blogs).toEqual([slowBlog]);
    expect((await told(second.snapshot)).blogs).toEqual([]);
    expect((await told(start)).blogs).toEqual([slowBlog, fastBlog]);
    await slow.end();
    await database.$disconnect();
  });

  it('is kept for an hour', async () => {
    const database = openDatabase(service.databaseUrl, 2, () => undefined);
    const projectId = randomUUID();
    await database.$transaction((tx) =>
      addProjectEvents(tx, [{ projectId, data: { event: 'blog.changed', blog_id: randomUUID(), state: 'deleted' } }]),
    );
    const kept = async (ms: number) => {
      const store = createProjectEventStore(database, () => new Date(Date.now() + ms));
      while ((await store.sweep()) > 0);
      return service.query('select 1 from project_event where project_id = $1', [projectId]);
    };
    expect(await kept(3_590_000)).toHaveLength(1);
    expect(await kept(3_610_000)).toHaveLength(0);
    await database.$disconnect();
  });
});

describe('streams', () => {
  it('are ten of a person at once; one more is told when to ask again, and others are not held up', async () => {
    const person = await newPerson(service, owner.token, { project_id: owner.project, role: 'editor' });
    const mine = { token: person.token, project: owner.project };
    const streams = await Promise.all(Array.from({ length: MAX_STREAMS_OF_ACCOUNT }, () => watch(mine)));
    const refused = await service.call('GET', `projects/${owner.project}/events`, { token: person.token });
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, 10]);
    await using other = await watch(owner);
    expect(other.status).toBe(200);
    await streams[0]?.[Symbol.asyncDispose]();
    await eventually(async () => {
      await using next = await watch(mine);
      expect(next.status).toBe(200);
    });
    await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()));
  });

  it('end when the service stops, which does not wait for them', async () => {
    const replica = await service.startReplica({ SHUTDOWN_TIMEOUT_MS: '60000' });
    await using stream = await watch(owner, { origin: replica.origin });
    await replica.stop();
    await stream.ended;
  });

  it('end when the session does, or the membership', async () => {
    const database = openDatabase(service.databaseUrl, 2, () => undefined);
    const stopping = new AbortController();
    const projectWatch = createProjectWatch({
      events: createProjectEventStore(database, () => new Date()),
      clock: () => new Date(),
      logger: createLogger('test', 'error'),
      stopping: stopping.signal,
      heartbeatMs: 20,
    });
    const begin = async () => {
      const person = await newPerson(service, owner.token, { project_id: owner.project, role: 'editor' });
      const sessionId: string = (await service.call('GET', 'account/sessions', { token: person.token })).body.items[0]
        .id;
      const response = new StreamedResponse();
      const ended = projectWatch.watch(
        {
          projectId: owner.project,
          accountId: person.id,
          sessionId,
          lastEventId: undefined,
          expiresAt: new Date(Date.now() + 3_600_000),
        },
        response as unknown as Response,
      );
      await eventually(() => Promise.resolve(expect(response.text).toMatch(/: still there\nid: /)));
      return { person, ended };
    };
    const [signedOut, removed, stays] = [await begin(), await begin(), await begin()];
    let hasStayed = true;
    void stays.ended.then(() => (hasStayed = false));
    await service.call('DELETE', 'account/sessions', { token: signedOut.person.token });
    await signedOut.ended;
    await service.call('DELETE', `projects/${owner.project}/members/${removed.person.id}`, { token: owner.token });
    await removed.ended;
    expect(hasStayed).toBe(true);
    stopping.abort();
    await stays.ended;
    await database.$disconnect();
  });

  it('that reconnect together are told three at a time what they have missed, so that others get connections', async () => {
    const stopping = new AbortController();
    const asked: (() => void)[] = [];
    const projectWatch = createProjectWatch({
      events: {
        now: () => new Promise((resolve) => asked.push(() => resolve('1:1:'))),
        since: () => Promise.resolve({ events: [], crowded: new Set(), snapshot: '1:1:' }),
        allowed: () => Promise.resolve(new Set<string>()),
      },
      clock: () => new Date(),
      logger: createLogger('test', 'error'),
      stopping: stopping.signal,
    });
    const watching = Array.from({ length: 5 }, () =>
      projectWatch.watch(
        {
          projectId: 'project',
          accountId: 'account',
          sessionId: 'session',
          lastEventId: undefined,
          expiresAt: new Date(Date.now() + 3_600_000),
        },
        new StreamedResponse() as unknown as Response,
      ),
    );
    // The first question is the feed's, for all of them.
    await eventually(() => expect(asked).toHaveLength(1));
    asked[0]?.();
    await eventually(() => expect(asked).toHaveLength(4));
    for (let answered = 1; answered < 6; answered += 1) {
      await eventually(() => expect(asked.length).toBeGreaterThan(answered));
      expect(asked.length).toBeLessThanOrEqual(answered + 3);
      asked[answered]?.();
    }
    stopping.abort();
    await Promise.all(watching);
  });

  it('are for members, and HEAD does not stay', async () => {
    const stranger = await newPerson(service, owner.token);
    const path = `projects/${owner.project}/events`;
    expect((await service.call('GET', path, { token: stranger.token })).status).toBe(404);
    expect((await service.call('GET', path)).status).toBe(401);
    expect((await service.call('HEAD', path, { token: owner.token })).status).toBe(200);
  });
});

/** What a stream is written to, in memory. */
class StreamedResponse extends EventEmitter {
  text = '';
  readonly writableLength = 0;
  writableEnded = false;
  readonly set = () => undefined;
  readonly write = (text: string) => {
    this.text += text;
  };
  readonly end = () => {
    this.writableEnded = true;
  };
}
