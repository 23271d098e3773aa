import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import { answerWell, completion, eventsOf, GOOD, sendJson, sendStream, startStream } from '../../test/model-server.ts';
import { generate, prepareModelService, REQUEST, spentBy } from '../../test/model-service.ts';

const on = prepareModelService();

describe('a model’s server that misbehaves', () => {
  it('is asked for any JSON object when it does not know schemas', async () => {
    const to = await on.withModel({ model: 'without-schemas' });
    on.model.answer = (asked, response) => {
      if (asked.body.response_format.type === 'json_schema') sendJson(response, { error: { message: 'no' } }, 400);
      else answerWell(asked, response);
    };
    expect(await generate(to)).toMatchObject({ status: 'succeeded', input_tokens: 400 });
  });

  it('is asked from then on as it has taken a request, in every step of every generation of the project by that model', async () => {
    on.model.answer = (asked, response) => {
      const refuse = (message: string) => {
        sendJson(response, { error: { message } }, 400);
      };
      if (asked.body.response_format.type === 'json_schema') refuse('I know no schemas.');
      else if ('max_tokens' in asked.body) refuse('Use max_completion_tokens.');
      else answerWell(asked, response);
    };
    const first = await on.withModel({ model: 'particular' });
    const other = await on.withModel({ model: 'particular' });
    for (const to of [first, first, other]) expect((await generate(to)).status).toBe('succeeded');
    const ways = on.model.asked.map(({ body }) => [body.response_format.type, 'max_tokens' in body]);
    const refused = [
      ['json_schema', true],
      ['json_object', true],
    ];
    const taken = (times: number) => Array<unknown>(times).fill(['json_object', false]);
    expect(ways).toEqual([...refused, ...taken(8), ...refused, ...taken(4)]);
  });

  it('that refuses a request in every way is asked in the best way again', async () => {
    const to = await on.withModel({ model: 'refusing' });
    on.model.answer = (_asked, response) => {
      sendJson(response, { error: { message: 'too long' } }, 400);
    };
    expect((await generate(to)).failure).toMatchObject({ code: 'model_refused' });
    on.model.answer = answerWell;
    on.model.asked.length = 0;
    expect((await generate(to)).status).toBe('succeeded');
    expect(on.model.asked[0]?.body).toMatchObject({ response_format: { type: 'json_schema' }, stream: true });
  });

  it('gets an answer of the wrong form back once, to mend it', async () => {
    const to = await on.withModel();
    on.model.answer = (asked, response) => {
      if (asked.body.messages.length === 2) sendStream(response, 'I am no JSON');
      else answerWell(asked, response);
    };
    expect((await generate(to)).status).toBe('succeeded');
    expect(on.model.asked).toHaveLength(8);
  });

  it('stops nobody by an answer that begins a code block and goes on with blanks', async () => {
    const to = await on.withModel();
    on.model.answer = (asked, response) => {
      // By a pattern that tries every run of blanks, reading it takes days.
      if (asked.body.messages.length === 2) sendStream(response, `\`\`\`json${' '.repeat(100_000)}x`);
      else answerWell(asked, response);
    };
    expect((await generate(to)).status).toBe('succeeded');
  });

  it('is understood when it puts its JSON into a code block', async () => {
    const to = await on.withModel();
    on.model.answer = (asked, response) => {
      sendStream(response, `\n\`\`\`json\n${JSON.stringify(GOOD[asked.form])}\n\`\`\`\n`);
    };
    expect((await generate(to)).status).toBe('succeeded');
  });

  it('is told of an answer with far too many values, each of which would be complained about', async () => {
    const to = await on.withModel();
    on.model.answer = (asked, response) => {
      if (asked.body.messages.length === 2) sendStream(response, `{"blocks":[${'{},'.repeat(100_000)}{}]}`);
      else answerWell(asked, response);
    };
    expect((await generate(to)).status).toBe('succeeded');
    expect(JSON.stringify(on.model.asked[1]?.body.messages)).toContain('it has more than 5000 values');
  });

  it('fails the generation with a clear word when its second answer is wrong, too, in every try', async () => {
    const to = await on.withModel();
    on.model.answer = (_asked, response) => {
      sendStream(response, 'I am no JSON');
    };
    const { body } = await to.post('/blogs/generate', REQUEST);
    const made = await eventually(async () => {
      // Without the waiting between the tries.
      await on.service.query('update generation_job set due_at = now() where id = $1', [body.id]);
      const job = (await to.get(`/generations/${body.id}`)).body;
      expect(job.status).toBe('failed');
      return job;
    });
    expect(made.failure).toEqual({
      code: 'model_answer',
      message: 'The model did not return the requested JSON: it is not JSON. It returned: “I am no JSON”',
    });
    // Each try asks, and asks to mend it once.
    expect(on.model.asked.map(({ body: { messages } }) => messages.length).slice(0, 4)).toEqual([2, 4, 2, 4]);
    expect(on.model.asked.length % 2).toBe(0);
    expect((await to.get('/blogs')).body.items).toEqual([]);
  });

  it('is waited for as long as Retry-After says, without a charge', async () => {
    const to = await on.withModel();
    let refused = 0;
    on.model.answer = (asked, response) => {
      if (refused < 2) {
        refused += 1;
        sendJson(response, { error: { message: 'slow down' } }, 429, { 'retry-after': '1' });
      } else answerWell(asked, response);
    };
    expect(await generate(to)).toMatchObject({ status: 'succeeded', cost: 0.0008 });
    expect(await spentBy(to)).toMatchObject({ cost: 0.0008 });
  });

  it('that asks to wait for hours is asked again after ten minutes, and holds no slot meanwhile', async () => {
    const to = await on.withModel();
    on.model.answer = (_asked, response) => {
      sendJson(response, { error: { message: 'slow down' } }, 429, { 'retry-after': '86400' });
    };
    const { body } = await to.post('/blogs/generate', REQUEST);
    const waiting = await eventually(async () => {
      const [row] = await on.service.query<{ wait: number; held: boolean }>(
        `select extract(epoch from due_at - clock_timestamp())::float8 as wait, lease_token is not null as held
         from generation_job where id = $1 and tries = 1`,
        [body.id],
      );
      expect(row?.held).toBe(false);
      return row;
    });
    expect(waiting?.wait).toBeGreaterThan(300);
    expect(waiting?.wait).toBeLessThanOrEqual(600);
    on.model.answer = answerWell;
    expect((await generate(await on.withModel())).status).toBe('succeeded');
    await to.post(`/generations/${body.id}/cancel`);
  });

  it('fails the generation with a clear word when it refuses the key', async () => {
    const to = await on.withModel();
    on.model.answer = (_asked, response) => {
      sendJson(response, { error: { message: 'key sk-secret is wrong' } }, 401);
    };
    const made = await generate(to);
    expect(made).toMatchObject({ status: 'failed', cost: 0, failure: { code: 'model_refused' } });
    expect(made.failure.message).toContain('key •••• is wrong');
    expect(JSON.stringify(made)).not.toContain('sk-secret');
  });

  it('that cuts its stream: the step is tried again, and what it may have cost stays charged', async () => {
    const to = await on.withModel();
    let wrong = 0;
    on.model.answer = (asked, response) => {
      wrong += 1;
      if (wrong > 1) return answerWell(asked, response);
      return startStream(response).write(eventsOf(GOOD['outline']).slice(0, 2).join(''), () => response.destroy());
    };
    const made = await generate(to);
    expect(made).toMatchObject({ status: 'succeeded', input_tokens: 400 });
    // More than the four calls that were answered, by an outline of the most tokens at least.
    expect(made.cost).toBeGreaterThan(0.0008 + 2 * 0.002);
    expect((await spentBy(to)).cost).toBe(made.cost);
  });

  it('that does not say what an answer took is charged as much as that text can have been', async () => {
    const to = await on.withModel();
    on.model.answer = ({ form }, response) => {
      sendStream(response, GOOD[form], { usage: null });
    };
    const made = await generate(to);
    expect(made).toMatchObject({ status: 'succeeded', input_tokens: 0, output_tokens: 0 });
    const bytes = (texts: readonly unknown[]) => Buffer.byteLength(texts.map((text) => JSON.stringify(text)).join(''));
    const output = bytes([GOOD['outline'], GOOD['section'], GOOD['section'], GOOD['meta']]);
    const input = on.model.asked.flatMap(({ body }) => body.messages).map(({ content }) => Buffer.byteLength(content));
    const tokens = output + input.reduce((sum, length) => sum + length, 4 * 500);
    expect((await spentBy(to)).tokens).toBe(tokens);
    expect((await spentBy(to)).cost).toBe(made.cost);
  });

  it('that does not know streams, and answers as ever, is read as ever', async () => {
    const to = await on.withModel();
    on.model.answer = ({ form }, response) => {
      sendJson(response, completion(GOOD[form]));
    };
    expect(await generate(to)).toMatchObject({ status: 'succeeded', input_tokens: 400, cost: 0.0008 });
  });

  it('that refuses to stream is asked for its answer as a whole', async () => {
    const to = await on.withModel({ model: 'without-streams' });
    on.model.answer = ({ body, form }, response) => {
      if (body.stream) sendJson(response, { error: { message: 'unknown field: stream_options' } }, 400);
      else sendJson(response, completion(GOOD[form]));
    };
    expect(await generate(to)).toMatchObject({ status: 'succeeded', input_tokens: 400, cost: 0.0008 });
  });

  it('is left at once when the generation is cancelled', async () => {
    const to = await on.withModel();
    let left = 0;
    on.model.answer = (_asked, response) => {
      response.once('close', () => {
        left += 1;
      });
      // In the middle of its answer.
      startStream(response).write(eventsOf(GOOD['outline']).slice(0, 2).join(''));
    };
    const { body } = await to.post('/blogs/generate', REQUEST);
    await eventually(() => expect(on.model.asked).toHaveLength(1));
    expect((await to.post(`/generations/${body.id}/cancel`)).status).toBe(200);
    await eventually(() => expect(left).toBe(1));
    await sleep(200);
    expect((await to.get(`/generations/${body.id}`)).body.status).toBe('cancelled');
    expect((await to.get('/blogs')).body.items).toEqual([]);
  });
});
