import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { jpeg } from '../../test/images.ts';
import { answerWell, sendJson, startModelServer, type ModelServer } from '../../test/model-server.ts';
import { startOwner, type Owner } from '../../test/owner.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';

/** Whoever ends a step waits for this lock, which the test holds. */
const GATE = 4_242;
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

let service: RunningService;
let owner: Owner;
let model: ModelServer;
let gate: pg.Client;
const replicas = new Map<string, ChildProcess>();
let started = 0;

beforeAll(async () => {
  model = await startModelServer();
  // It answers requests and runs no job.
  service = await startRunningService({ GENERATION_SLOTS: '0' });
  owner = await startOwner(service);
  gate = new pg.Client({ connectionString: service.databaseUrl });
  await gate.connect();
  await gate.query(`
    CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(${GATE}); RETURN NEW; END $$;
    CREATE TRIGGER gate BEFORE INSERT ON generation_event FOR EACH ROW EXECUTE FUNCTION gate()`);
});
afterAll(async () => {
  for (const name of replicas.keys()) await kill(name);
  await gate.end();
  await service[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** Two, so that one can take over. */
function startReplicas(): void {
  for (let count = 0; count < 2; count += 1) {
    started += 1;
    const name = `replica-${started}`;
    const env = {
      ...process.env,
      ...service.variables,
      ...{ GENERATION_SLOTS: '2', GENERATION_LEASE_MS: '60000', GENERATION_POLL_MS: '50', LOG_LEVEL: 'error' },
      PGAPPNAME: name,
    };
    const args = ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning', MAIN];
    replicas.set(name, spawn(process.execPath, args, { env, stdio: 'ignore' }));
  }
}

async function kill(name: string): Promise<void> {
  const replica = replicas.get(name);
  replicas.delete(name);
  if (replica === undefined || replica.exitCode !== null || replica.signalCode !== null) return;
  const ended = once(replica, 'exit');
  replica.kill('SIGKILL');
  await ended;
}

async function killAll(): Promise<void> {
  const names = [...replicas.keys()];
  await Promise.all(names.map(kill));
  await expireLease();
  startReplicas();
}

/** What a killed replica held runs out now: a lease that is long enough for a busy machine need not be waited for. */
const expireLease = () =>
  service.query('UPDATE generation_job SET lease_expires_at = clock_timestamp() WHERE lease_token IS NOT NULL');

/** The replica that waits at the gate: it has done a step, and has not committed it. */
async function waiting(): Promise<string | null> {
  const { rows } = await gate.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity activity USING (pid)
     WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted`,
  );
  return rows[0]?.name ?? null;
}

/** Lets one through: the test's own lock queues behind it. */
async function letThrough(): Promise<void> {
  await gate.query(`SELECT pg_advisory_unlock(${GATE})`);
  await gate.query(`SELECT pg_advisory_lock(${GATE})`);
}

it('a process killed in any step, before or in the step’s commit, costs neither the post nor the budget, and makes no second draft and no second picture', async () => {
  const settings = {
    model: 'test-model',
    base_url: model.url,
    api_key: null,
    input_price: 1,
    output_price: 1,
    month_tokens: 60_000,
    ...{ image_model: 'painter', image_price: 0.04 },
  };
  expect((await owner.call('PUT', '/generation-settings', { json: settings })).status).toBe(200);
  const killedIn: string[] = [];
  /** What pictures have cost: the rest is tokens. */
  const costOfPictures = async () => {
    const { month } = (await owner.get('/generation-settings')).body;
    return month.cost - month.tokens / 1_000_000;
  };
  let drawn = 0;
  const whenStored = { drawn: 0, cost: 0 };
  model.answer = async (asked, response) => {
    // In the middle of a call, once of each kind.
    const isPicture = asked.path.endsWith('/images/generations');
    const call = `call ${isPicture ? 'picture' : asked.form}`;
    if (killedIn.includes(call)) {
      if (!isPicture) return answerWell(asked, response);
      drawn += 1;
      // A model draws no picture twice.
      const bytes = await jpeg(320 + drawn, 240);
      return sendJson(response, { created: 0, data: [{ b64_json: bytes.toString('base64') }] });
    }
    killedIn.push(call);
    return killAll();
  };
  const { body: job } = await owner.post('/blogs/generate', { topic: 'Green tea', length: 200, pictures: true });
  await gate.query(`SELECT pg_advisory_lock(${GATE})`);
  startReplicas();

  await eventually(
    async () => {
      const name = await waiting();
      if (name?.startsWith('replica')) {
        const [row] = await service.query<{ at: string }>(
          `SELECT step || ' ' || coalesce(jsonb_array_length(work->'sections'), 0) AS at FROM generation_job WHERE id = $1`,
          [job.id],
        );
        const at = String(row?.at);
        const isNew = !killedIn.includes(at);
        if (isNew) {
          killedIn.push(at);
          if (at === 'pictures 2') Object.assign(whenStored, { drawn, cost: await costOfPictures() });
          await kill(name);
          // The other one takes over, if it is left.
          if (replicas.size === 0) startReplicas();
        }
        await letThrough();
        if (isNew) await expireLease();
      }
      expect((await owner.get(`/generations/${job.id}`)).body).toMatchObject({ status: 'succeeded', failure: null });
    },
    { timeoutMs: 400_000, intervalMs: 20 },
  );

  expect(killedIn.toSorted()).toEqual(
    [
      ...['call outline', 'call section', 'call meta', 'call picture'],
      ...['outline 0', 'sections 0', 'sections 1', 'links 2', 'meta 2', 'pictures 2', 'checks 2'],
    ].toSorted(),
  );
  const { body: blogs } = await owner.get('/blogs');
  expect(blogs.items).toHaveLength(1);
  const { body: library } = await owner.get('/images');
  expect(library.items).toHaveLength(1);
  const { hero_image_url: hero, generated_images: drawnOnes } = await owner.show({ id: blogs.items[0].id });
  expect([hero, drawnOnes]).toEqual([library.items[0].url, [library.items[0].url]]);
  const { body: shown } = await owner.get('/generation-settings');
  // What dead processes had reserved stays charged: more than the answered calls took, and never more than the budget.
  expect(shown.month.tokens).toBeGreaterThan(7 * 150);
  expect(shown.month.tokens).toBeLessThanOrEqual(60_000);
  // The picture, and each call that was begun and cut off: its server may have drawn, so it stays charged. At least one was
  // cut off here, and on a busy machine a lease may run out, too. Once a picture is stored, none is drawn or charged.
  expect(whenStored.cost).toBeGreaterThan(2 * 0.04 - 0.001);
  expect(await costOfPictures()).toBeCloseTo(whenStored.cost, 6);
  expect(drawn).toBe(whenStored.drawn);
}, 420_000);
