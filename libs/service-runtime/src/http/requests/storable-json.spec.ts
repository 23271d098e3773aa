import { serveApp, type ServedApp } from '../../../test/serve-app.ts';
import { jsonBody, storableBody } from './json-body.ts';
import { parseQuery } from './read-parameters.ts';
import { z } from 'zod';

let served: ServedApp;
beforeAll(async () => {
  served = await serveApp((app) => {
    app.post('/echo', jsonBody(1_048_576), storableBody, (request, response) => void response.json(request.body));
    app.post('/bug', () => Promise.reject(new Error('secret plans')));
  });
});
afterAll(() => served[Symbol.asyncDispose]());

const echo = async (body: string) => {
  const answer = await served.http.post('echo', { body, headers: { 'content-type': 'application/json' } });
  return { status: answer.statusCode, body: JSON.parse(answer.body) as unknown };
};
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a body', () => {
  it('loses what PostgreSQL cannot hold, in every text, before it is checked', async () => {
    const body = '{"a":"x\\u0000y","b":["\\ud800",{"c":"\\u0000"}],"d":1,"e":null}';
    expect((await echo(body)).body).toEqual({ a: 'xy', b: ['\ufffd', { c: '' }], d: 1, e: null });
  });

  it('may be nested 32 levels deep and no deeper', async () => {
    expect((await echo(nested(32))).status).toBe(200);
    expect((await echo(nested(33))).status).toBe(400);
    expect((await echo(nested(200_000))).status).toBe(400);
  });

  it('that runs into a bug is answered 500, like a request without one', async () => {
    const answer = await served.http.post('bug', { json: {} });
    expect([answer.statusCode, answer.body]).toEqual([500, expect.not.stringContaining('secret')]);
  });
});

describe('a query', () => {
  it('loses it too', () => {
    expect(parseQuery(z.object({ q: z.string() }), { q: 'a\0b' })).toEqual({ q: 'ab' });
  });
});
