import { Router } from 'express';
import { serveApp } from '../../../test/serve-app.ts';
import { refuseOtherMethods } from './operations.ts';

const operations = [
  { method: 'get', path: '/v1/blogs' },
  { method: 'post', path: '/v1/blogs' },
  { method: 'get', path: '/v1/blogs/{blogId}' },
  { method: 'patch', path: '/v1/blogs/{blogId}' },
  { method: 'post', path: '/v1/blogs/publish' },
];

const serve = () =>
  serveApp((app) => {
    app.use(refuseOtherMethods(operations));
    const blogs = Router();
    blogs.get('/', (_req, res) => void res.json([]));
    blogs.post('/publish', (_req, res) => void res.json({}));
    blogs
      .route('/:blogId')
      .get((req, res) => void res.json(req.params))
      .patch((_req, res) => void res.json({}));
    app.use('/v1/blogs', blogs);
  });

async function ask(origin: string, method: string, path: string) {
  const answer = await fetch(origin + path, { method });
  return { status: answer.status, allow: answer.headers.get('allow'), text: await answer.text() };
}

describe('a method that a path does not have', () => {
  it('is answered 405 with Allow and a problem that says what is possible', async () => {
    await using app = await serve();
    const answer = await ask(app.origin, 'DELETE', '/v1/blogs/7');
    expect(answer).toMatchObject({ status: 405, allow: 'GET, HEAD, PATCH' });
    expect(JSON.parse(answer.text)).toEqual({
      title: 'Method Not Allowed',
      status: 405,
      detail: 'DELETE is not allowed here. Use GET, HEAD, PATCH.',
    });
  });

  it.each(['OPTIONS', 'PUT', 'PROPFIND'])('%s is refused like any other', async (method) => {
    await using app = await serve();
    expect(await ask(app.origin, method, '/v1/blogs')).toMatchObject({ status: 405, allow: 'GET, HEAD, POST' });
  });

  it('is refused in any spelling of the path that the router takes', async () => {
    await using app = await serve();
    for (const path of ['/V1/Blogs', '/v1/blogs/', '/v1/blogs?x=1']) {
      expect(await ask(app.origin, 'PUT', path)).toMatchObject({ status: 405 });
    }
  });

  it('is judged by the path with the name where one with a parameter fits too', async () => {
    await using app = await serve();
    expect(await ask(app.origin, 'PATCH', '/v1/blogs/publish')).toMatchObject({ status: 405, allow: 'POST' });
    expect(await ask(app.origin, 'POST', '/v1/blogs/publish')).toMatchObject({ status: 200 });
  });
});

describe('everything else goes on', () => {
  it('HEAD is possible where GET is', async () => {
    await using app = await serve();
    expect(await ask(app.origin, 'HEAD', '/v1/blogs/7')).toMatchObject({ status: 200 });
  });

  it('what is at no path stays 404', async () => {
    await using app = await serve();
    for (const path of ['/', '/v1', '/v1/blogs/7/8', '/v1/blogs//']) {
      expect(await ask(app.origin, 'DELETE', path)).toMatchObject({ status: 404, allow: null });
    }
  });
});
