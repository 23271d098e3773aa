import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSessionKeyPair } from '@blog-content/credentials';
import { createEmptyDatabase, eventually } from '@blog-content/testing';
import { startOwner, type Owner } from '../../test/owner.ts';
import { OWNER, startRunningService, type RunningService } from '../../test/running-service.ts';
import { spawnService, type ServiceProcess } from '../../test/service-process.ts';

const PROJECTS = 4;
const TOPICS = 4;
const KILLS = 4;

const resources = new AsyncDisposableStack();
let service: RunningService;
let owners: Owner[];
let env: Record<string, string>;
beforeAll(async () => {
  // It answers requests; what takes topics and writes posts are the processes that die.
  service = resources.use(await startRunningService({ GENERATION_SLOTS: '0', WORK_POLL_MS: '60000' }));
  const log = await createEmptyDatabase();
  resources.defer(() => log.drop());
  const imageFolder = await mkdtemp(join(tmpdir(), 'blog-content-images-'));
  resources.defer(() => rm(imageFolder, { recursive: true, force: true }));
  env = {
    DATABASE_URL: service.databaseUrl,
    EVENT_LOG_DATABASE_URL: log.url,
    OWNER_SESSION_PRIVATE_JWK: (await generateSessionKeyPair()).privateJwk,
    BOOTSTRAP_OWNER_EMAIL: OWNER.email,
    BOOTSTRAP_OWNER_PASSWORD: OWNER.password,
    IMAGE_BASE_URL: 'https://images.example',
    IMAGE_DISK_PATH: imageFolder,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    WORK_POLL_MS: '50',
    GENERATION_LEASE_MS: '1000',
  };
  const first = await startOwner(service);
  owners = await Promise.all(Array.from({ length: PROJECTS }, () => first.inNewProject()));
});
afterAll(() => resources.disposeAsync());

/** As if the time of every autopilot had come. */
const makeAllDue = () => service.query('update autopilot set next_run_at = now() where enabled');
const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

describe(`autopilots whose processes are killed (KILL_SEED=${seed})`, () => {
  it('use each topic once and lose none, with two replicas that die again and again', async () => {
    for (const owner of owners) {
      const topics = Array.from({ length: TOPICS }, (_x, n) => ({ topic: `Topic ${n}` }));
      await owner.post('/autopilot/topics', { topics });
      const json = { enabled: true, time_zone: 'UTC', days: ['mon'], times: ['09:00'] };
      expect((await owner.call('PUT', '/autopilot', { json })).status).toBe(200);
    }
    let random = seed;
    const chance = () => (random = (random * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    const replicas: ServiceProcess[] = await Promise.all([spawnService(env), spawnService(env)]);
    resources.defer(() => Promise.all(replicas.map((replica) => replica.kill())).then(() => undefined));
    for (let killed = 0; killed < KILLS; killed += 1) {
      await makeAllDue();
      await sleep(30 + 400 * chance());
      const victim = killed % 2;
      await replicas[victim]?.kill();
      replicas[victim] = await spawnService(env);
    }
    await eventually(
      async () => {
        await makeAllDue();
        const left = await service.query(`select from autopilot_topic where status in ('queued', 'writing')`);
        expect(left).toEqual([]);
      },
      { timeoutMs: 120_000 },
    );
    await Promise.all(replicas.map((replica) => replica.kill()));

    for (const owner of owners) {
      const topics = await service.query<{ id: string; topic: string; status: string; blog_id: string | null }>(
        'select id, topic, status, blog_id from autopilot_topic where project_id = $1 order by rank',
        [owner.project],
      );
      expect(topics.map(({ topic, status }) => `${topic} ${status}`)).toEqual(
        Array.from({ length: TOPICS }, (_x, n) => `Topic ${n} made`),
      );
      const jobs = await service.query<{ origin: string; status: string; blog_id: string }>(
        'select origin, status, blog_id from generation_job where project_id = $1 order by position',
        [owner.project],
      );
      // In the order of the queue, one for each, and each with its draft.
      expect(jobs).toEqual(
        topics.map(({ id, blog_id }) => ({ origin: `autopilot:${id}`, status: 'succeeded', blog_id })),
      );
      const blogs = await service.query<{ id: string }>('select id from blog where project_id = $1', [owner.project]);
      expect(blogs.map(({ id }) => id).toSorted()).toEqual(topics.map(({ blog_id }) => blog_id).toSorted());
      const { posts_this_month: posts } = (await owner.get('/autopilot')).body;
      expect(posts).toBe(TOPICS);
    }
  });
});
