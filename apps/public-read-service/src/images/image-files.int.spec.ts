import { once } from 'node:events';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { imageKeyOf, type ImageExtension, type ImageStorage } from '@blog-content/image-storage';
import { createMetrics, createRequestObserver } from '@blog-content/service-runtime';
import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { logger, startTestService, type TestService } from '../../test/test-service.ts';
import { projectSaved } from '../../test/events.ts';
import { createFindAccount } from './find-account.ts';
import { createPublicReadStore } from '../queries/public-read-store.ts';
import { createImageFiles, IMAGE_READERS } from './image-files.ts';
import { createReaders } from '../http/readers.ts';

interface ReceivedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const IMAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

const monotonicMs = () => performance.now();

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** Sends the path as it is written. */
function ask(method: string, path: string, headers: Record<string, string> = {}, origin = service.origin) {
  return new Promise<ReceivedAnswer>((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const sent = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    sent.once('error', reject).end();
  });
}

function imageOf(projectId: string = randomUUID(), extension: ImageExtension = 'png', length = 300_000) {
  const bytes = randomBytes(length);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const keyOf = (width: number | null, ending = extension) => imageKeyOf({ projectId, hash, width, extension: ending });
  return { key: keyOf(null), keyOf, bytes, contentType: extension === 'jpg' ? 'image/jpeg' : `image/${extension}` };
}

async function store(image: ReturnType<typeof imageOf> = imageOf()) {
  await service.imageStorage.put(image.key, image.bytes, image.contentType);
  return image;
}

describe('GET /images/<project id>/<file>', () => {
  it.each(['jpg', 'png', 'webp', 'avif', 'gif'] as const)(
    'gives a stored %s with its type, immutable, to any page and without a credential',
    async (extension) => {
      const { key, bytes, contentType } = await store(imageOf(undefined, extension));
      const { status, headers, body } = await ask('GET', `/images/${key}`);
      expect(status).toBe(200);
      expect(body.equals(bytes)).toBe(true);
      expect(headers).toMatchObject({
        ...IMAGE_HEADERS,
        'content-type': contentType,
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${key.split('/')[1]}"`,
        'accept-ranges': 'bytes',
        'x-request-id': expect.any(String),
      });
    },
  );

  it('answers HEAD with the same headers and no body, and ignores a query', async () => {
    const { key } = await store();
    const ours = ({ 'x-request-id': _id, date: _date, ...headers }: IncomingHttpHeaders) => headers;
    const [got, head] = [await ask('GET', `/images/${key}?v=2`), await ask('HEAD', `/images/${key}`)];
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(ours(head.headers)).toEqual(ours(got.headers));
  });

  it('answers 304 when If-None-Match matches, and 404 once the image is deleted', async () => {
    const { key } = await store();
    const etag = `"${key.split('/')[1]}"`;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, headers, body } = await ask('GET', `/images/${key}`, { 'if-none-match': known });
      expect([known, status, body.length]).toEqual([known, 304, 0]);
      expect(headers).toMatchObject({ etag, 'cache-control': 'public, max-age=31536000, immutable' });
    }
    expect((await ask('GET', `/images/${key}`, { 'if-none-match': '"other"' })).status).toBe(200);
    await service.imageStorage.delete([key]);
    expect((await ask('GET', `/images/${key}`, { 'if-none-match': etag })).status).toBe(404);
  });

  it('gives one range of an image', async () => {
    const { key, bytes } = await store();
    const { status, headers, body } = await ask('GET', `/images/${key}`, { range: 'bytes=1000-200999' });
    expect(status).toBe(206);
    expect(body.equals(bytes.subarray(1_000, 201_000))).toBe(true);
    expect(headers).toMatchObject({
      ...IMAGE_HEADERS,
      'content-range': `bytes 1000-200999/${bytes.length}`,
      'content-length': '200000',
      'content-type': 'image/png',
      etag: `"${key.split('/')[1]}"`,
    });
    const last = await ask('GET', `/images/${key}`, { range: 'bytes=-5' });
    expect([last.status, last.body]).toEqual([206, bytes.subarray(-5)]);
  });

  it('answers 416 to a range past the end, and sends the whole image where a range is not possible', async () => {
    const { key, bytes } = await store();
    const etag = `"${key.split('/')[1]}"`;
    const behind = await ask('GET', `/images/${key}`, { range: `bytes=${bytes.length}-` });
    expect(behind).toMatchObject({ status: 416, headers: { 'content-range': `bytes */${bytes.length}` } });
    expect(JSON.parse(behind.body.toString())).toEqual({ detail: expect.any(String) });
    const part = { range: 'bytes=0-9' };
    const wholes: Record<string, string>[] = [
      { range: 'bytes=0-1,5-6' },
      { range: 'items=0-1' },
      { ...part, 'if-range': '"other"' },
      { ...part, 'if-range': `W/${etag}` },
      { ...part, 'if-range': 'Mon, 02 Mar 2026 10:00:00 GMT' },
    ];
    for (const headers of wholes) {
      const whole = await ask('GET', `/images/${key}`, headers);
      expect([headers, whole.status, whole.body.length]).toEqual([headers, 200, bytes.length]);
    }
    expect((await ask('GET', `/images/${key}`, { ...part, 'if-range': etag })).status).toBe(206);
    expect((await ask('HEAD', `/images/${key}`, part)).status).toBe(200);
  });

  it('gives the original in place of a variant that is not made yet, with no-store', async () => {
    const { key, keyOf, bytes } = await store(imageOf(undefined, 'jpg'));
    const asks = { range: 'bytes=0-9', 'if-none-match': `"${key.split('/')[1]}"` };
    for (const headers of [{}, asks] as Record<string, string>[]) {
      const { status, headers: got, body } = await ask('GET', `/images/${keyOf(480, 'avif')}`, headers);
      expect(status).toBe(200);
      expect(body.equals(bytes)).toBe(true);
      expect(got).toMatchObject({ ...IMAGE_HEADERS, 'content-type': 'image/jpeg', 'cache-control': 'no-store' });
      expect(got.etag).toBeUndefined();
      expect(got['accept-ranges']).toBeUndefined();
    }
    const head = await ask('HEAD', `/images/${keyOf(960, 'webp')}`);
    expect(head).toMatchObject({
      status: 200,
      headers: { 'content-length': String(bytes.length), 'cache-control': 'no-store' },
    });

    const variant = randomBytes(1_000);
    await service.imageStorage.put(keyOf(480, 'avif'), variant, 'image/avif');
    const made = await ask('GET', `/images/${keyOf(480, 'avif')}`);
    expect(made).toMatchObject({ status: 200, body: variant, headers: { 'content-type': 'image/avif' } });
    expect(made.headers['cache-control']).toContain('immutable');
  });

  it('answers 404 to an unknown image, cacheable briefly', async () => {
    const { key, keyOf } = imageOf();
    const stored = await store();
    const elsewhere = stored.key.replace(/^[^/]+/, randomUUID());
    for (const missing of [key, keyOf(480), elsewhere, stored.key.replace('.png', '.jpg')]) {
      const { status, headers, body } = await ask('GET', `/images/${missing}`);
      expect([missing, status]).toEqual([missing, 404]);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=5',
        'content-type': 'application/json; charset=utf-8',
        'access-control-allow-origin': '*',
      });
      expect(JSON.parse(body.toString())).toEqual({ detail: 'Image not found.' });
    }
  });

  it('answers 404 to every other path below it, however it is spelled', async () => {
    const { key } = await store();
    const [project, file] = key.split('/') as [string, string];
    const paths = [
      '/images',
      '/images/',
      '/images?x=1',
      `/images/${project}`,
      `/images/${project}/`,
      `/images//${key}`,
      `/images/${key}/`,
      `/images/${key}/x`,
      `/images/${key}%00`,
      `/images/${project}/%2e%2e/${key}`,
      `/images/${project}/../${key}`,
      `/images/../${project}/${file}`,
      `/images/${project}%2f${file}`,
      `/images/${project.toUpperCase()}/${file}`,
      `/images/${project}/${file.replace('.png', '.PNG')}`,
      `/images/${project}/${file.replace('.png', '.svg')}`,
      `/images/unfinished/${file}`,
      '/images/../../../etc/passwd',
      '/images/..%2f..%2f..%2fetc%2fpasswd',
      `/images/${'a'.repeat(5_000)}`,
    ];
    for (const path of paths) {
      const { status, body } = await ask('GET', path);
      expect([path, status, JSON.parse(body.toString())]).toEqual([path, 404, { detail: expect.any(String) }]);
    }
    expect((await ask('GET', `/imagesx/${key}`)).headers['content-type']).toContain('application/problem+json');
  });

  it('is read-only: other methods are 405, and a preflight is answered', async () => {
    const { key } = await store();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers, body } = await ask(method, `/images/${key}`);
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
      expect(JSON.parse(body.toString())).toEqual({ detail: expect.any(String) });
    }
    const preflight = await ask('OPTIONS', `/images/${key}`, { origin: 'https://tea.example' });
    expect(preflight).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, HEAD' },
    });
    expect(await service.imageStorage.head(key)).not.toBeNull();
  });

  it('answers several requests on one connection', async () => {
    const { key, bytes } = await store(imageOf(undefined, 'png', 200_000));
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
    const line = `GET /images/${key} HTTP/1.1\r\nHost: x\r\n`;
    socket.write(`${line}\r\n${line}Range: bytes=0-9\r\n\r\n${line}Connection: close\r\n\r\n`);
    const received = await buffer(socket);
    expect(received.toString('latin1').match(/HTTP\/1\.1 (200|206)/g)).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 206',
      'HTTP/1.1 200',
    ]);
    expect(received.subarray(-bytes.length).equals(bytes)).toBe(true);
  });
});

/** Images of a given storage, on a server of their own. */
async function startImages(
  storage: ImageStorage,
  { stalledMs = 60_000, total = 384, findAccount = (id: string) => Promise.resolve(id) } = {},
) {
  const metrics = createMetrics('public-read-service');
  const readers = createReaders({ ...IMAGE_READERS, total, stalledMs }, monotonicMs);
  const observe = createRequestObserver({ logger, metrics });
  const dependencies = { storage, findAccount, observe, metrics, bytesPerS: 0, monotonicMs, readers };
  const answer = createImageFiles(dependencies, () => undefined);
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    readers,
    connections: () => promisify(server.getConnections.bind(server))(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Asks for an image and reads nothing of it. */
function stall(port: number, key: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', onread: { buffer: Buffer.alloc(1), callback: () => false } });
  socket.on('error', () => undefined);
  socket.write(`GET /images/${key} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

describe('a reader of images', () => {
  const none = () => Promise.resolve(null);
  const broken: ImageStorage = {
    put: () => Promise.reject(new Error('The storage is away.')),
    get: () => Promise.reject(new Error('The storage is away.')),
    head: () => Promise.reject(new Error('The storage is away.')),
    delete: () => Promise.reject(new Error('The storage is away.')),
    // eslint-disable-next-line require-yield
    async *list() {
      await none();
      throw new Error('The storage is away.');
    },
    close: () => undefined,
  };

  it('gets Retry-After when the storage is away', async () => {
    await using images = await startImages(broken);
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await ask(method, `/images/${imageOf().key}`, {}, images.origin);
      expect([status, headers['retry-after'], headers['cache-control']]).toEqual([500, '2', 'no-store']);
      if (method === 'GET') expect(body.toString()).not.toContain('away');
    }
    expect(images.readers.size).toBe(0);
  });

  it('gets a broken connection when the storage fails midway', async () => {
    const { key, bytes, contentType } = imageOf();
    const get = () => {
      const body = Readable.from(
        (async function* () {
          await none();
          yield bytes.subarray(0, 1_000);
          throw new Error('The storage went away.');
        })(),
      );
      return Promise.resolve({ contentType, etag: '"x"', size: bytes.length, start: 0, end: bytes.length - 1, body });
    };
    await using images = await startImages({ ...broken, get });
    await expect(ask('GET', `/images/${key}`, {}, images.origin)).rejects.toThrow();
    await eventually(() => expect(images.readers.size).toBe(0));
  });

  it('that leaves midway, or stops reading, holds no resources any longer', async () => {
    const image = await store(imageOf(undefined, 'png', 30_000_000));
    const bodies: Readable[] = [];
    const get: ImageStorage['get'] = async (key, options) => {
      const stored = await service.imageStorage.get(key, options);
      if (stored !== null) bodies.push(stored.body);
      return stored;
    };
    await using images = await startImages({ ...service.imageStorage, get }, { stalledMs: 300 });
    const [leaving, stalled] = [stall(images.port, image.key), stall(images.port, image.key)];
    await eventually(() => expect(bodies).toHaveLength(2));
    leaving.destroy();
    await eventually(() => {
      expect(images.readers.size).toBe(0);
      expect(bodies.map(({ closed }) => closed)).toEqual([true, true]);
    });
    stalled.destroy();
  });

  it('gets images while a hundred others of the same account stop reading theirs', async () => {
    const image = await store(imageOf(undefined, 'png', 30_000_000));
    const small = await store(imageOf(image.key.split('/')[0]));
    await using images = await startImages(service.imageStorage);
    const stalled = Array.from({ length: 100 }, () => stall(images.port, image.key));
    for (const socket of stalled) if (socket.connecting) await once(socket, 'connect');
    const { status, body } = await ask('GET', `/images/${small.key}`, {}, images.origin);
    expect([status, body.equals(small.bytes)]).toEqual([200, true]);
    for (const each of stalled) each.destroy();
  });

  it('shares what one project had with all projects of its account, and nothing with other accounts', async () => {
    const TOTAL = 20;
    const [anna, ben] = [randomUUID(), randomUUID()];
    const imageOfProject = async (account_id: string, length?: number) => {
      const project_id = randomUUID();
      await service.applyProjects(projectSaved({ project_id, members: [{ account_id, role: 'owner' }] }));
      return store(imageOf(project_id, 'png', length));
    };
    const [large, second, others] = [
      await imageOfProject(anna, 30_000_000),
      await imageOfProject(anna),
      await imageOfProject(ben),
    ];
    const pool = new pg.Pool({ connectionString: service.databaseUrl });
    await using _pool = { [Symbol.asyncDispose]: () => pool.end() };
    const findAccount = createFindAccount(createPublicReadStore(pool, pool), monotonicMs);
    await using images = await startImages(service.imageStorage, { findAccount, total: TOTAL });

    const stalled = Array.from({ length: TOTAL }, () => stall(images.port, large.key));
    await eventually(() => expect(images.readers.size).toBe(TOTAL));
    const read = async ({ key }: { key: string }) => (await ask('GET', `/images/${key}`, {}, images.origin)).status;
    // There is no place left: all of her projects together have them.
    expect(await read(second)).toBe(500);
    await eventually(async () => expect(await images.connections()).toBe(TOTAL));
    // Another account takes the place of one that reads nothing.
    expect(await read(others)).toBe(200);
    await eventually(async () => expect(await images.connections()).toBe(TOTAL - 1));
    for (const socket of stalled) socket.destroy();
    await eventually(() => expect(images.readers.size).toBe(0));
    expect(await read(second)).toBe(200);
  });
});
