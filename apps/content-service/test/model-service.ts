import { eventually } from '@blog-content/testing';
import { answerWell, startModelServer, type ModelServer } from './model-server.ts';
import { startOwner, type Owner } from './owner.ts';
import { startRunningService, type RunningService } from './running-service.ts';

export const SOURCE = { title: 'Notes', text: 'Green tea likes water of 80 degrees.' };
export const REQUEST = { topic: 'Green tea at home', length: 200, sources: [SOURCE] };
const SETTINGS = { model: 'test-model', api_key: 'key-of-the-model', input_price: 1, output_price: 2 };

/** A service of the file's own, and a model's server that answers well at the beginning of each test. */
export function prepareModelService() {
  let service: RunningService;
  let owner: Owner;
  let model: ModelServer;
  beforeAll(async () => {
    model = await startModelServer();
    service = await startRunningService({ WORK_POLL_MS: '250', GENERATION_SLOTS: '2' });
    owner = await startOwner(service);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    model.answer = answerWell;
    model.asked.length = 0;
  });

  return {
    get service() {
      return service;
    },
    get owner() {
      return owner;
    },
    get model() {
      return model;
    },
    /** A new project that generates by the model. */
    async withModel(more: object = {}): Promise<Owner> {
      const to = await owner.inNewProject();
      const answer = await to.call('PUT', '/generation-settings', {
        json: { ...SETTINGS, base_url: model.url, ...more },
      });
      expect(answer.status).toBe(200);
      return to;
    },
  };
}

/** A generation once it has ended. */
async function endedGeneration(to: Owner, id: string) {
  return eventually(
    async () => {
      const { body } = await to.get(`/generations/${id}`);
      expect(['succeeded', 'failed', 'cancelled']).toContain(body.status);
      return body;
    },
    // It takes a few hundred milliseconds, and to ask costs about as much as one of its steps.
    { intervalMs: 60 },
  );
}

/** Asks for a draft, and waits until its generation has ended. */
export async function generate(to: Owner, request: object = REQUEST) {
  const answer = await to.post('/blogs/generate', request);
  expect([answer.status, answer.body]).toEqual([202, expect.anything()]);
  return endedGeneration(to, answer.body.id as string);
}

/** What the month has cost so far. */
export const spentBy = async (to: Owner) => (await to.get('/generation-settings')).body.month;
