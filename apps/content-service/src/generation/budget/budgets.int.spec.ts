import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import { GOOD, sendStream } from '../../../test/model-server.ts';
import { generate, prepareModelService, REQUEST, spentBy } from '../../../test/model-service.ts';

const on = prepareModelService();

describe('budgets', () => {
  it('of the month refuse a generation that cannot be paid, with the budget and when it renews', async () => {
    const to = await on.withModel({ month_tokens: 1_000 });
    await on.service.query(
      `insert into generation_month (project_id, month, charged_tokens) values ($1, to_char(now() at time zone 'utc', 'YYYY-MM'), 900)`,
      [to.project],
    );
    const refused = await to.post('/blogs/generate', REQUEST);
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toMatch(/1,000 tokens\. It resets on \d{4}-\d\d-01\./);
  });

  it('of a job refuse a length that they do not allow', async () => {
    const to = await on.withModel({ job_budget: 0.0001 });
    const refused = await to.post('/blogs/generate', REQUEST);
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'length']);
  });

  it('end a generation before the call that would go beyond them, and are never overdrawn', async () => {
    const to = await on.withModel({ job_tokens: 6_000 });
    on.model.answer = ({ form }, response) => {
      sendStream(response, GOOD[form], { usage: { prompt_tokens: 1_000, completion_tokens: 1_500 } });
    };
    const made = await generate(to);
    expect(made).toMatchObject({ status: 'failed', failure: { code: 'budget' } });
    const { tokens } = await spentBy(to);
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThanOrEqual(6_000);
  });

  it('count what a server says it took, also beyond what was reserved, and then allow no further call', async () => {
    const to = await on.withModel({ job_tokens: 60_000 });
    on.model.answer = ({ form }, response) => {
      sendStream(response, GOOD[form], { usage: { prompt_tokens: 1_000, completion_tokens: 70_000 } });
    };
    const made = await generate(to);
    expect(made).toMatchObject({ status: 'failed', failure: { code: 'budget' }, output_tokens: 70_000 });
    expect(on.model.asked).toHaveLength(1);
    expect((await spentBy(to)).tokens).toBe(71_000);
  });

  it('hold what a call may take while it runs', async () => {
    const to = await on.withModel();
    on.model.answer = () => undefined;
    const { body } = await to.post('/blogs/generate', REQUEST);
    await eventually(() => expect(on.model.asked).toHaveLength(1));
    const held = await spentBy(to);
    expect(held.tokens).toBeGreaterThan(2_000);
    await to.post(`/generations/${body.id}/cancel`);
    await sleep(100);
    // Nobody knows how far the call came.
    expect((await spentBy(to)).tokens).toBe(held.tokens);
  });
});
