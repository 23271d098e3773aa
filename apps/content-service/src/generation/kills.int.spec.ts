import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { jpeg } from '../../test/images.ts';
import { answerWell, sendJson, startModelServer, type ModelServer } from '../../test/model-server.ts';
import { ownerOfNewProject, type Owner } from '../../test/owner.ts';
import { newPerson } from '../../test/people.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';
import { spawnService } from '../../test/service-process.ts';

/** Whoever ends a step at which its process is to die waits for the lock of its job, which the test holds. */
const GATE = 4_242;
/** Longer than all jobs take to come to their gates on a busy machine: none gives up while it waits for the others. */
const STATEMENT_TIMEOUT_MS = 400_000;
const PICTURE_PRICE = 0.04;
const MONTH_TOKENS = 60_000;
const TOKENS_OF_ANSWER = 150;

const resources = new AsyncDisposableStack();
let service: RunningService;
let model: ModelServer;
let gate: pg.Client;

beforeAll(async () => {
  model = resources.use(await startModelServer());
  // It answers requests and runs no job.
  service = resources.use(await startRunningService({ GENERATION_SLOTS: '0' }));
  gate = new pg.Client({ connectionString: service.databaseUrl });
  await gate.connect();
  resources.defer(() => gate.end());
  await gate.query(`
    CREATE TABLE kill_point (job_id uuid, leads_to text, number integer);
    CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE gate integer;
    BEGIN
      SELECT number INTO gate FROM kill_point JOIN generation_job job ON job.id = job_id
      WHERE job_id = NEW.job_id AND leads_to =
        CASE status WHEN 'running' THEN step || ' ' || coalesce(jsonb_array_length(work->'sections'), 0) ELSE status END;
      IF FOUND THEN PERFORM pg_advisory_xact_lock(${GATE}, gate); END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER gate BEFORE INSERT ON generation_event FOR EACH ROW EXECUTE FUNCTION gate()`);
  await closeGates();
});
afterAll(() => resources.disposeAsync());

/** A job, and where its processes die: in a call of the model, then in the commit that leads to a next step. */
interface Doomed {
  readonly name: string;
  readonly call: string | null;
  /** Step and number of sections. */
  readonly commit: string;
}
const DOOMED: readonly Doomed[] = [
  { name: 'outline', call: 'outline', commit: 'sections 0' },
  { name: 'first-section', call: 'section', commit: 'sections 1' },
  { name: 'last-section', call: null, commit: 'links 2' },
  { name: 'links', call: null, commit: 'meta 2' },
  { name: 'meta', call: 'meta', commit: 'pictures 2' },
  { name: 'picture', call: 'picture', commit: 'checks 2' },
  { name: 'checks', call: null, commit: 'succeeded' },
];

interface DoomedJob extends Doomed {
  readonly owner: Owner;
  readonly id: string;
}

/** A job of an account of its own, whose model has the name of the job: an account has few concurrent turns. */
async function begin(doomed: Doomed, administrator: string): Promise<DoomedJob> {
  const owner = await ownerOfNewProject(service, (await newPerson(service, administrator)).token);
  const { name } = doomed;
  const json = {
    model: name,
    base_url: model.url,
    api_key: null,
    input_price: 1,
    output_price: 1,
    month_tokens: MONTH_TOKENS,
    ...{ image_model: name, image_price: PICTURE_PRICE },
  };
  expect((await owner.call('PUT', '/generation-settings', { json })).status).toBe(200);
  const { body } = await owner.post('/blogs/generate', { topic: 'Green tea', length: 200, pictures: true });
  await gate.query('INSERT INTO kill_point VALUES ($1, $2, $3)', [body.id, doomed.commit, DOOMED.indexOf(doomed)]);
  return { ...doomed, owner, id: body.id };
}

const closeGates = () =>
  gate.query(`SELECT pg_advisory_lock(${GATE}, n) FROM generate_series(0, ${DOOMED.length - 1}) AS n`);

/** Which jobs wait at their gates: they have done a step, and have not committed it. */
async function waiting(): Promise<(string | undefined)[]> {
  const { rows } = await gate.query<{ number: number }>(
    `SELECT DISTINCT objid::integer AS number FROM pg_locks
     WHERE locktype = 'advisory' AND classid = ${GATE} AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY number`,
  );
  return rows.map(({ number }) => DOOMED[number]?.name);
}

/** Lets those through whose processes are dead, so that nothing of theirs stays: the test's own locks queue behind. */
async function letThrough(): Promise<void> {
  await gate.query('SELECT pg_advisory_unlock_all()');
  await closeGates();
}

/** What a killed process held runs out now: a lease that is long enough for a busy machine need not be waited for. */
const expireLeases = () =>
  service.query('UPDATE generation_job SET lease_expires_at = clock_timestamp() WHERE lease_token IS NOT NULL');

it('a process killed in any step, before or in the step’s commit, costs neither the post nor the budget, and makes no second draft and no second picture', async () => {
  const administrator = await service.signIn();
  const jobs: DoomedJob[] = [];
  for (const doomed of DOOMED) jobs.push(await begin(doomed, administrator));

  const inCall = new Set<string>();
  const answered = new Map<string, number>();
  const drawn = new Map<string, number>();
  const oneMore = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  model.answer = async (asked, response) => {
    const { model: name } = asked.body;
    // The others are at their gates when leases are renewed meanwhile.
    if (name === 'links') await new Promise((resolve) => setTimeout(resolve, 9_000));
    const isPicture = asked.path.endsWith('/images/generations');
    const call = isPicture ? 'picture' : asked.form;
    // The first time it gets no answer: its process dies in the middle of the call.
    if (jobs.find((job) => job.name === name)?.call === call && !inCall.has(name)) return inCall.add(name);
    oneMore(isPicture ? drawn : answered, name);
    if (!isPicture) return answerWell(asked, response);
    // A model draws no picture twice.
    const bytes = await jpeg(0, 64 + (drawn.get(name) ?? 0), 48);
    return sendJson(response, { created: 0, data: [{ b64_json: bytes.toString('base64') }] });
  };

  /** What pictures have cost: the rest is tokens. */
  const costOfPictures = async ({ owner }: DoomedJob) => {
    const { month } = (await owner.get('/generation-settings')).body;
    return month.cost - month.tokens / 1_000_000;
  };
  const env = {
    ...service.variables,
    DATABASE_URL: `${service.databaseUrl}?statement_timeout=${STATEMENT_TIMEOUT_MS}`,
    ...{ GENERATION_SLOTS: String(jobs.length), GENERATION_LEASE_MS: '400000', WORK_POLL_MS: '50' },
  };
  const start = async () => {
    const replica = await spawnService(env);
    resources.defer(() => replica.kill());
    return replica;
  };
  const whenStored = new Map<string, number>();
  /** Starts a process, and kills it once it is in those calls, in the middle of those commits, and at nothing else. */
  const killAmid = async (calls: readonly DoomedJob[], commits: readonly DoomedJob[]) => {
    const replica = await start();
    await eventually(
      async () => {
        expect([await waiting(), inCall.size]).toEqual([
          DOOMED.map(({ name }) => name).filter((name) => commits.some((job) => job.name === name)),
          calls.length,
        ]);
        const held = await service.query(`select from generation_job where status <> 'succeeded'`);
        expect(held).toHaveLength(new Set([...calls, ...commits]).size);
      },
      { timeoutMs: 120_000 },
    );
    await replica.kill();
    await gate.query('DELETE FROM kill_point WHERE job_id = ANY($1)', [commits.map(({ id }) => id)]);
    await letThrough();
    for (const job of commits.filter(({ commit }) => ['checks 2', 'succeeded'].includes(commit))) {
      whenStored.set(job.name, await costOfPictures(job));
    }
    await expireLeases();
  };
  const [withCalls, others] = [jobs.filter(({ call }) => call !== null), jobs.filter(({ call }) => call === null)];
  await killAmid(withCalls, others);
  await killAmid(withCalls, withCalls);
  await start();

  for (const job of jobs) {
    const { name, call, owner, id } = job;
    await eventually(
      async () =>
        expect((await owner.get(`/generations/${id}`)).body).toMatchObject({ status: 'succeeded', failure: null }),
      { timeoutMs: 120_000 },
    );
    const { body: blogs } = await owner.get('/blogs');
    expect([name, blogs.items.length]).toEqual([name, 1]);
    const { body: library } = await owner.get('/images');
    expect([name, library.items.length]).toEqual([name, 1]);
    const { hero_image_url: hero, generated_images: drawnOnes } = await owner.show({ id: blogs.items[0].id });
    expect([hero, drawnOnes]).toEqual([library.items[0].url, [library.items[0].url]]);
    const { body: shown } = await owner.get('/generation-settings');
    // What dead processes had reserved stays charged: more than the answered calls took, and never more than the
    // budget.
    const ofAnswers = (answered.get(name) ?? 0) * TOKENS_OF_ANSWER;
    expect(shown.month.tokens).toBeGreaterThanOrEqual(ofAnswers + (call === null || call === 'picture' ? 0 : 1));
    expect(shown.month.tokens).toBeLessThanOrEqual(MONTH_TOKENS);
    // The picture, and the call that was begun and cut off: its server may have drawn, so it stays charged.
    const cost = await costOfPictures(job);
    expect(cost).toBeGreaterThan((call === 'picture' ? 2 : 1) * PICTURE_PRICE - 0.001);
    // Once a picture is stored, none is drawn or charged.
    expect([name, drawn.get(name)]).toEqual([name, 1]);
    if (whenStored.has(name)) expect(cost).toBeCloseTo(whenStored.get(name) ?? 0, 6);
  }
  expect([...whenStored.keys()]).toEqual(['checks', 'picture']);
}, 420_000);
