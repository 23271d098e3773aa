import {
  connectEventLog,
  createParkedEventStore,
  onTopic,
  openEventLog,
  toEnvelope,
  type EventLog,
} from '@blog-content/event-log';
import {
  lifecycleTopic,
  projectsTopic,
  servedTopic,
  type BlogServedEvent,
  type LifecycleEvent,
  type ProjectEvent,
} from '@blog-content/payload-schemas';
import { createMetrics } from '@blog-content/service-runtime';
import { createEmptyDatabase, eventually } from '@blog-content/testing';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { blogPublished, blogUnpublished, projectSaved } from '../test/events.ts';
import { logger, PUBLIC, startTestService, type TestService } from '../test/test-service.ts';
import { CONSUMER_GROUP, createProjectionMetrics, topicHandlers } from './consume.ts';

const resources = new AsyncDisposableStack();
let service: TestService;
let eventLogUrl: string;
let contentService: EventLog;
const common = { group: CONSUMER_GROUP, produces: [servedTopic], logger };
const served: BlogServedEvent[] = [];

const handlersOf = ({ projection, revokedSessions, waitForReplicas }: TestService) => {
  const projectionMetrics = createProjectionMetrics(createMetrics('consumer'));
  return ({ append }: Pick<EventLog, 'append'>) =>
    topicHandlers({
      projection,
      revokedSessions,
      logger,
      metrics: projectionMetrics,
      now: () => new Date(),
      waitForReplicas,
      announce: append,
    });
};
const openLog = () => openEventLog({ kind: 'postgres', databaseUrl: eventLogUrl }, logger);
const emit = async (...events: (LifecycleEvent | ProjectEvent)[]): Promise<string[]> => {
  const envelopes = events.map((event) =>
    event.event === 'project.saved' || event.event === 'project.deleted'
      ? toEnvelope(projectsTopic, event, { source: '/content-service' })
      : toEnvelope(lifecycleTopic, event, { source: '/content-service' }),
  );
  await contentService.append(envelopes);
  return envelopes.map((envelope) => envelope.id);
};
const untilServed = (eventId: string) =>
  eventually(() => {
    if (!served.some((event) => event.lifecycle_event_id === eventId)) throw new Error('not served yet');
  });

beforeAll(async () => {
  const eventLogDatabase = await createEmptyDatabase();
  resources.defer(() => eventLogDatabase.drop());
  eventLogUrl = eventLogDatabase.url;
  contentService = await openLog();
  resources.defer(() => contentService.close());
  await contentService.ensureTopics([lifecycleTopic, projectsTopic, servedTopic]);
  await contentService.subscribe({
    group: 'content-service',
    handlers: [onTopic(servedTopic, (events) => Promise.resolve(void served.push(...events.map(({ data }) => data))))],
    logger,
  });
  service = resources.use(await startTestService({ eventLogUrl }));
});
afterAll(() => resources.disposeAsync());

describe('from the event log to the reader', () => {
  it('serves a publish once blog.served says so, and no longer after the unpublish', async () => {
    const [project_id, blog_id] = [randomUUID(), randomUUID()];
    const key = (await service.keys.generate(project_id))!.key;
    const read = () => service.request('GET', `${PUBLIC}/blogs/tea`, { authorization: `Bearer ${key}` });
    const [, published] = await emit(
      projectSaved({ project_id, site_url: 'https://tea.example' }),
      blogPublished({ project_id, blog_id, revision: { slug: 'tea', title: 'Tea' } }),
    );
    await untilServed(published!);
    expect(JSON.parse((await read()).body)).toMatchObject({ id: blog_id, title: 'Tea' });

    const [unpublished] = await emit(blogUnpublished({ project_id, blog_id, blog_event_number: 2 }));
    await untilServed(unpublished!);
    expect((await read()).statusCode).toBe(404);
    expect(served.filter((event) => event.blog_id === blog_id).map((event) => event.blog_event_number)).toEqual([1, 2]);
  });

  it('serves a blog whose project it does not know yet', async () => {
    const project_id = randomUUID();
    const key = (await service.keys.generate(project_id))!.key;
    const [linked, linking] = await emit(
      blogPublished({ project_id, site_url: 'https://event.example', revision: { slug: 'linked' } }),
      blogPublished({
        project_id,
        site_url: 'https://event.example',
        revision: { slug: 'linking', content: '<a href="[INTERNAL:linked]">x</a>' },
      }),
    );
    await untilServed(linked!);
    await untilServed(linking!);
    const answer = await service.request('GET', `${PUBLIC}/blogs/linking`, { authorization: `Bearer ${key}` });
    expect(JSON.parse(answer.body)).toMatchObject({ content: '<a href="https://event.example/blog/linked/">x</a>' });
  });

  it('serves all other posts when the database refuses one, and that one once it can', async () => {
    const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
    await using _pool = { [Symbol.asyncDispose]: () => pool.end() };
    await pool.query(`
      CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.slug = 'poison' THEN RAISE EXCEPTION 'a bug'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse_poison BEFORE INSERT OR UPDATE ON published_blog
        FOR EACH ROW EXECUTE FUNCTION refuse_poison();`);
    const ids = Array.from({ length: 12 }, () => randomUUID());
    const poisoned = { project_id: ids[0]!, blog_id: randomUUID() };
    await emit(blogPublished({ ...poisoned, revision: { slug: 'poison' } }));
    const fine = await emit(
      ...ids.map((project_id) => blogPublished({ project_id, blog_id: randomUUID(), revision: { slug: 'fine' } })),
    );
    await Promise.all(fine.map(untilServed));
    await eventually(() => expect(service.eventLog.parkedKeys().get('blog.lifecycle')).toBe(1));
    await emit(blogUnpublished({ ...poisoned, blog_event_number: 2 }));
    const store = createParkedEventStore(service.databaseUrl);
    await using _store = { [Symbol.asyncDispose]: () => store.close() };
    await eventually(async () =>
      expect(await store.list()).toMatchObject([
        { ...poisoned, key: poisoned.blog_id, type: 'blog.published', error: 'a bug', failures: 5, waiting: 1 },
      ]),
    );

    await pool.query('DROP TRIGGER refuse_poison ON published_blog');
    await store.makeDue(poisoned.blog_id);
    await eventually(() => {
      const numbers = served.filter(({ blog_id }) => blog_id === poisoned.blog_id);
      expect(numbers.map(({ blog_event_number }) => blog_event_number)).toEqual([1, 2]);
    });
    // Each is deleted after it was applied.
    await eventually(async () => expect(await store.list()).toEqual([]));
  });

  it('reports that the log is reachable and nothing is left to do', async () => {
    const { eventLog } = service;
    await eventLog.checkStarted();
    expect(eventLog.isUp()).toBe(true);
    await eventually(async () => {
      expect((await eventLog.lag()).toSorted((a, b) => a.topic.localeCompare(b.topic))).toEqual([
        { topic: 'blog.lifecycle', messages: 0 },
        { topic: 'blog.projects', messages: 0 },
        { topic: 'blog.sessions', messages: 0 },
      ]);
    });
  });
});

describe('without the event log', () => {
  it('serves public reads, and starts consuming when the log is there', async () => {
    await using apart = await startTestService();
    const project = await apart.createProject();
    let isAway = true;
    const late = connectEventLog({
      ...common,
      open: () => (isAway ? Promise.reject(new Error('away')) : openLog()),
      handlers: handlersOf(apart),
    });
    try {
      let isConnected = false;
      void late.connected.then(() => (isConnected = true));
      await expect(late.checkStarted()).rejects.toThrow('not been reached');
      expect(late.isUp()).toBe(false);
      expect(await late.lag()).toEqual([]);
      expect((await project.get('/blogs')).statusCode).toBe(200);
      expect(isConnected).toBe(false);
      isAway = false;
      await eventually(() => late.isUp());
      await late.checkStarted();
      expect(isConnected).toBe(true);
    } finally {
      await late.close();
    }
  });

  it('becomes ready after a while, so that reads do not depend on the log', async () => {
    const never = connectEventLog({
      ...common,
      open: () => Promise.reject(new Error('away')),
      handlers: [],
      startGraceMs: 100,
    });
    try {
      await eventually(() => never.checkStarted());
      expect(never.isUp()).toBe(false);
    } finally {
      await never.close();
    }
  });

  it('stops immediately, even if the log was never reached', async () => {
    const never = connectEventLog({
      ...common,
      open: () => Promise.reject(new Error('away')),
      handlers: [],
    });
    await never.close();
    await never.close();
  });
});
