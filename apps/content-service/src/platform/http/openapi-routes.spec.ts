import { openApi } from '@blog-content/payload-schemas/documents';
import { serveApp } from '../../../test/serve-app.ts';
import { createOpenApiRoutes, OPENAPI_PATH } from './openapi-routes.ts';

const serve = () => serveApp((app) => void app.use(createOpenApiRoutes(() => Promise.resolve(openApi()))));

describe('GET /blog/api/v1/openapi.json', () => {
  it('is the document, for anybody, to keep for five minutes', async () => {
    await using app = await serve();
    const answer = await fetch(app.origin + OPENAPI_PATH);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{43}"$/);
    expect(await answer.json()).toEqual(openApi());
  });

  it('is 304 for who has it', async () => {
    await using app = await serve();
    const etag = (await fetch(app.origin + OPENAPI_PATH)).headers.get('etag') ?? '';
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await fetch(app.origin + OPENAPI_PATH, { headers: { 'if-none-match': given } });
      const { length } = await answer.text();
      expect({ given, status: answer.status, length }).toEqual({ given, status: 304, length: 0 });
      expect(answer.headers.get('etag')).toBe(etag);
    }
    const other = await fetch(app.origin + OPENAPI_PATH, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('answers HEAD with the headers alone', async () => {
    await using app = await serve();
    const answer = await fetch(app.origin + OPENAPI_PATH, { method: 'HEAD' });
    expect([answer.status, Number(answer.headers.get('content-length')) > 1_000]).toEqual([200, true]);
    expect(await answer.text()).toBe('');
  });
});
