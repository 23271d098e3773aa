import { eventually } from '@blog-content/testing';
import { answerWell, startModelServer, type ModelServer } from '../../test/model-server.ts';
import { startOwner, type Owner } from '../../test/owner.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
  service = await startRunningService({
    ...{ GENERATION_SLOTS: '2', GENERATION_POLL_MS: '50' },
    ...{ MODEL_BASE_URL: model.url, MODEL_NAME: 'platform-model' },
  });
  owner = await startOwner(service);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
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
  await eventually(async () => expect((await other.get(`/generations/${job.id}`)).body.status).toBe('succeeded'), {
    timeoutMs: 60_000,
  });
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
