import { eventually } from '@blog-content/testing';
import { jpeg } from '../../test/images.ts';
import { answerWell, sendJson, startModelServer, type ModelServer } from '../../test/model-server.ts';
import { newPerson } from '../../test/people.ts';
import { ownerOfNewProject, startOwner, type Owner } from '../../test/owner.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
  service = await startRunningService({
    ...{ GENERATION_SLOTS: '2', WORK_POLL_MS: '50' },
    ...{ MODEL_BASE_URL: model.url, MODEL_NAME: 'platform-model', IMAGE_MODEL_NAME: 'platform-painter' },
    MODEL_API_KEY: 'key-of-the-platform',
  });
  owner = await startOwner(service);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

it('the models and the key of the environment serve a project that has none of its own', async () => {
  const to = await owner.inNewProject();
  const bytes = await jpeg(64, 48);
  model.answer = (asked, response) =>
    asked.path.endsWith('/images/generations')
      ? sendJson(response, { created: 0, data: [{ b64_json: bytes.toString('base64') }] })
      : answerWell(asked, response);
  const { body: job } = await to.post('/blogs/generate', { topic: 'Tea', length: 200, pictures: true });
  await succeeded(to, job.id);
  const asked = model.asked.map(({ body, authorization }) => [body.model, authorization]);
  const key = 'Bearer key-of-the-platform';
  expect(asked).toEqual([...Array(4).fill(['platform-model', key]), ['platform-painter', key]]);
  expect(JSON.stringify((await to.get('/generation-settings')).body)).not.toContain('key-of-the-platform');
});

it('50 jobs of one project delay another project’s job by no more than its own turns, and no write', async () => {
  const busy = await owner.inNewProject();
  const other = await owner.inNewProject();
  let held: (() => unknown)[] = [];
  let isHolding = true;
  const topics: string[] = [];
  let running = 0;
  let mostOfBusy = 0;
  model.answer = (asked, response) => {
    const isBusy = asked.body.messages[1]?.content.includes('Busy') === true;
    topics.push(isBusy ? 'busy' : 'other');
    if (isBusy) mostOfBusy = Math.max(mostOfBusy, (running += 1));
    const answer = () => {
      if (isBusy) running -= 1;
      return answerWell(asked, response);
    };
    if (isHolding) held.push(answer);
    else answer();
  };
  for (let n = 0; n < 50; n += 1) {
    expect((await busy.post('/blogs/generate', { topic: `Busy ${n}`, length: 200 })).status).toBe(202);
  }
  // The busy project has both slots, and its other jobs wait.
  await eventually(() => expect(held).toHaveLength(2));
  const { body: job } = await other.post('/blogs/generate', { topic: 'Other', length: 200 });
  // Writing goes on while every slot waits for a model.
  await other.publish(await other.newBlog());
  topics.length = 0;
  isHolding = false;
  for (const answer of held) answer();
  held = [];
  await succeeded(other, job.id);
  // Of the model's calls the other project had every second one, as long as it had any.
  const last = topics.lastIndexOf('other');
  const calls = topics.slice(0, last + 1);
  expect(calls.filter((topic) => topic === 'other')).toHaveLength(4);
  expect(calls.filter((topic) => topic === 'busy').length).toBeLessThanOrEqual(3 * 4);
  expect(mostOfBusy).toBeLessThanOrEqual(2);
  const [begun] = await service.query<{ count: string }>(
    `SELECT count(*) FROM generation_job WHERE project_id = $1 AND status = 'running'`,
    [busy.project],
  );
  expect(Number(begun?.count)).toBeLessThanOrEqual(2);
});

/** Another account, whose generations have had turns before. */
async function anotherAccount(): Promise<Owner> {
  model.answer = answerWell;
  const other = await ownerOfNewProject(service, (await newPerson(service, owner.token)).token);
  const { body: job } = await other.post('/blogs/generate', { topic: 'Other', length: 200 });
  await succeeded(other, job.id);
  return other;
}

const succeeded = (of: Owner, id: string) =>
  eventually(async () => expect((await of.get(`/generations/${id}`)).body.status).toBe('succeeded'));

/** A job in each of many new projects of one account, whose calls are held. */
async function manyNewProjects(asked: string[]): Promise<{ held: () => number; letGo: () => void }> {
  let held: (() => unknown)[] | null = [];
  model.answer = (call, response) => {
    const isBusy = call.body.messages[1]?.content.includes('Busy') === true;
    asked.push(isBusy ? 'busy' : 'other');
    if (isBusy && held !== null) held.push(() => answerWell(call, response));
    else answerWell(call, response);
  };
  for (let n = 0; n < 12; n += 1) {
    const { status } = await (await owner.inNewProject()).post('/blogs/generate', { topic: `Busy ${n}`, length: 200 });
    expect(status).toBe(202);
  }
  await eventually(() => expect(held).toHaveLength(2));
  return {
    held: () => held?.length ?? 0,
    letGo() {
      const answers = held ?? [];
      held = null;
      for (const answer of answers) answer();
    },
  };
}

it('many new projects of one account delay another account’s job by no more than its own turns', async () => {
  const other = await anotherAccount();
  const asked: string[] = [];
  const { letGo } = await manyNewProjects(asked);
  const { body: job } = await other.post('/blogs/generate', { topic: 'Other', length: 200 });
  asked.length = 0;
  letGo();
  await succeeded(other, job.id);
  expect(asked.filter((of) => of === 'other')).toHaveLength(4);
  const busy = asked.slice(0, asked.lastIndexOf('other')).filter((of) => of === 'busy');
  expect(busy.length).toBeLessThanOrEqual(2 * 4);
});

it('an account whose model is silent in many projects leaves the other slots to others', async () => {
  // Four slots in all.
  const replica = await service.startReplica();
  const other = await anotherAccount();
  const { held, letGo } = await manyNewProjects([]);
  const { body: job } = await other.post('/blogs/generate', { topic: 'Other', length: 200 });
  await succeeded(other, job.id);
  expect(held()).toBe(2);
  letGo();
  await replica.stop();
});
