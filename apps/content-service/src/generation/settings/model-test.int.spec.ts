import { completion, sendJson, sendStream } from '../../../test/model-server.ts';
import { generate, prepareModelService, spentBy } from '../../../test/model-service.ts';

const on = prepareModelService();
const KEY = 'key-of-the-model';
const READY = { answer: 'I am ready.' };
const test = async (to: Awaited<ReturnType<typeof on.withModel>>, json: object = {}) =>
  to.post('/generation-settings/test', json);

describe('trying a model', () => {
  it('says status, time, model and the start of the answer, and that the schema is kept', async () => {
    const to = await on.withModel();
    on.model.answer = (_asked, response) => sendStream(response, READY);
    const { status, body } = await test(to);
    expect([status, body]).toEqual([
      200,
      {
        succeeded: true,
        status_code: 200,
        total_ms: expect.any(Number),
        model: 'test-model',
        answer: JSON.stringify(READY),
        structured_output: 'schema',
        streams: true,
        detail: null,
      },
    ]);
    expect(on.model.asked).toMatchObject([{ body: { stream: true, response_format: { type: 'json_schema' } } }]);
    expect((await spentBy(to)).tokens).toBe(150);
  });

  it('says so when it takes any JSON object alone, and does not stream', async () => {
    const to = await on.withModel();
    on.model.answer = ({ body }, response) => {
      if (body.stream === true) sendJson(response, { error: { message: 'No streams.' } }, 400);
      else sendJson(response, completion(READY));
    };
    expect((await test(to)).body).toMatchObject({ succeeded: true, structured_output: 'object', streams: false });
    expect(on.model.asked).toHaveLength(3);
  });

  it('says what it answered in place of JSON', async () => {
    const to = await on.withModel();
    on.model.answer = (_asked, response) => sendStream(response, 'Sure! I am\n\nready.');
    expect((await test(to)).body).toMatchObject({
      succeeded: false,
      status_code: 200,
      structured_output: 'none',
      answer: 'Sure! I am ready.',
      detail: 'The model responded, but not with the requested JSON: it is not JSON.',
    });
  });

  it.each([
    [401, { error: { message: `Incorrect API key provided: ${KEY}` } }, 'returned 401', 'API key provided: ••••'],
    [404, '<html><title>404 Not Found</title>', 'returned 404', '404 Not Found'],
    [503, 'overloaded', 'returned 503', 'overloaded'],
  ])('quotes an answer of status %s, without the key', async (status, answer, detail, quoted) => {
    const to = await on.withModel();
    on.model.answer = (_asked, response) => {
      if (typeof answer === 'string') response.writeHead(status, { 'content-type': 'text/html' }).end(answer);
      else sendJson(response, answer, status);
    };
    const { body } = await test(to);
    expect(body).toMatchObject({ succeeded: false, status_code: status, structured_output: null, model: null });
    expect([body.detail, body.answer]).toEqual([expect.stringContaining(detail), expect.stringContaining(quoted)]);
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  it('tries what is not saved yet, with the key that is saved only at its address', async () => {
    const to = await on.withModel();
    on.model.answer = (_asked, response) => sendStream(response, READY);
    const { url } = on.model;
    expect((await test(to, { base_url: url, model: 'other' })).body.succeeded).toBe(true);
    expect((await test(to, { base_url: url, model: 'other', api_key: 'new-key' })).body.succeeded).toBe(true);
    expect((await test(to, { base_url: `${url}/other`, model: 'other' })).body.errors[0].field).toBe('api_key');
    expect(on.model.asked.map(({ authorization, body }) => [authorization, body.model])).toEqual([
      [`Bearer ${KEY}`, 'other'],
      ['Bearer new-key', 'other'],
    ]);
    for (const [json, field] of [
      [{ base_url: url }, 'model'],
      [{ api_key: 'x' }, 'api_key'],
      [{ base_url: 'https://10.0.0.1/v1', model: 'm', api_key: null }, 'base_url'],
      [{ baseUrl: url }, 'baseUrl'],
    ] as const) {
      const refused = await test(to, json);
      expect([refused.status, refused.body.errors[0].field]).toEqual([422, field]);
    }
    expect((await to.get('/generation-settings')).body.model).toBe('test-model');
  });

  it('is for owners, within the budget, and ten times a minute', async () => {
    const none = await on.owner.inNewProject();
    expect((await test(none)).status).toBe(409);
    const poor = await on.withModel({ month_tokens: 100 });
    expect([(await test(poor)).status, on.model.asked.length]).toEqual([409, 0]);
    const to = await on.withModel();
    on.model.answer = (_asked, response) => sendStream(response, READY);
    const statuses = [];
    for (let time = 0; time < 11; time += 1) statuses.push((await test(to)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  });
});

describe('a generation that fails', () => {
  it.each([
    ['with what the server answered', 400, { error: { message: `No model for ${KEY}` } }, 'No model for ••••'],
    ['and cuts a long answer', 404, 'x'.repeat(5_000), `${'x'.repeat(290)}`],
  ])('says why, %s', async (_how, status, answer, quoted) => {
    const to = await on.withModel();
    on.model.answer = (_asked, response) => {
      sendJson(response, answer, status);
    };
    const { failure } = await generate(to);
    expect(failure).toMatchObject({ code: 'model_refused' });
    expect(failure.message).toContain(`returned ${status}`);
    expect(failure.message).toContain(`It returned: “`);
    expect(failure.message).toContain(quoted);
    expect(failure.message.length).toBeLessThan(450);
    expect(failure.message).not.toContain(KEY);
  });
});
