import { execFileSync } from 'node:child_process';
import { type RunningSmallModel, startSmallModel } from '../index.ts';

// Without pip this is not tested, loudly; in CI it fails.
const hasPip = (() => {
  try {
    return execFileSync('python3', ['-m', 'pip', '--version'], { stdio: 'pipe' }).length > 0;
  } catch {
    return false;
  }
})();
if (!hasPip) console.warn('NOT TESTED without pip: the small language model.');
const describeWithPip = hasPip || process.env['CI'] ? describe : describe.skip;

describeWithPip('a small language model behind an OpenAI-compatible endpoint', () => {
  let model: RunningSmallModel;
  beforeAll(async () => {
    model = await startSmallModel();
  }, 600_000);
  afterAll(() => model.stop());

  const ask = (more: object, signal?: AbortSignal) =>
    fetch(`${model.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Tea' }], ...more }),
      ...(signal && { signal }),
    });

  it('answers in the form of a given schema, and says how many tokens it took', async () => {
    const properties = { name: { type: 'string', maxLength: 20 }, isHot: { type: 'boolean' } };
    const schema = { type: 'object', properties, required: ['name', 'isHot'], additionalProperties: false };
    const answer = await ask({ response_format: { type: 'json_schema', json_schema: { name: 'tea', schema } } });
    const { choices, usage } = (await answer.json()) as {
      choices: [{ message: { content: string } }];
      usage: { completion_tokens: number };
    };
    expect(JSON.parse(choices[0].message.content)).toEqual({ name: expect.any(String), isHot: expect.any(Boolean) });
    expect(usage.completion_tokens).toBeGreaterThan(0);
  });

  it('stops writing for a client that has left, and streams to the next', async () => {
    const left = new AbortController();
    const leaving = ask({ max_tokens: 1_000 }, left.signal).catch((error: Error) => error.name);
    setTimeout(() => left.abort(), 500);
    expect(await leaving).toBe('AbortError');
    const streamed = await ask({ max_tokens: 5, stream: true });
    expect(streamed.headers.get('content-type')).toBe('text/event-stream');
    const lines = (await streamed.text()).trim().split('\n\n');
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.at(-1)).toBe('data: [DONE]');
  });
});
