import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@blog-content/testing';
import { jpeg, upload } from '../../../test/images.ts';
import { ownerOfNewProject, startOwner, type Owner } from '../../../test/owner.ts';
import { newPerson } from '../../../test/people.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
let strict: Owner;
let respond: (request: IncomingMessage, response: ServerResponse) => void;
let asked: string[] = [];
const host = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  respond(request, response);
});
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  service = await startRunningService({ FETCH_ALLOWED_RANGES: '127.0.0.1/32', FETCH_ALLOW_HTTP: 'true' });
  owner = await startOwner(service);
  const replica = await service.startReplica({ FETCH_ALLOWED_RANGES: '192.0.2.1/32', FETCH_ALLOW_HTTP: 'false' });
  strict = await startOwner({ ...service, call: replica.call });
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  host.closeAllConnections();
  host.close();
});

const fetched = (url: string, by = owner) => by.post('/images', { url, alt: 'A cup', name: 'cup' });

describe('an image that is fetched', () => {
  it('is stored like one that is uploaded, and is the same', async () => {
    const bytes = await jpeg(1);
    respond = (_request, response) => response.setHeader('content-type', 'image/jpeg').end(bytes);
    const answer = await fetched(`${origin}/a.jpg`);
    expect([answer.status, answer.body.source, answer.body.alt, answer.body.name]).toEqual([
      201,
      'url',
      'A cup',
      'cup',
    ]);
    expect((await upload(owner, bytes)).body.id).toBe(answer.body.id);
  });

  it('may be behind a few redirects, each of which is checked', async () => {
    const bytes = await jpeg(2);
    respond = ({ url }, response) => {
      if (url === '/1') response.writeHead(302, { location: '/2' }).end();
      else if (url === '/2') response.writeHead(301, { location: `${origin}/3` }).end();
      else response.end(bytes);
    };
    expect((await fetched(`${origin}/1`)).status).toBe(201);
    respond = (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    expect((await fetched(`${origin}/1`)).body.errors).toEqual([
      { field: 'url', message: expect.stringContaining('cannot be fetched') },
    ]);
    respond = (_request, response) => response.writeHead(302, { location: '/again' }).end();
    expect((await fetched(`${origin}/1`)).body.errors[0].message).toMatch(/redirects more than 3 times/);
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['is missing', (response) => response.writeHead(404).end('no'), /status 404/],
    ['is a page', (response) => response.setHeader('content-type', 'text/html').end('<svg>'), /is not an image/],
    [
      'says that it is too large',
      (response) => response.writeHead(200, { 'content-length': '99999999' }).write('x'),
      /exceeds 20 MB/,
    ],
    [
      'is too large without saying so',
      (response) => {
        const piece = Buffer.alloc(1024 * 1024);
        const go = () => response.write(piece, (error) => (error ? undefined : setImmediate(go)));
        response.writeHead(200);
        go();
      },
      /exceeds 20 MB/,
    ],
    [
      'is cut off',
      (response) => response.writeHead(200, { 'content-length': '99' }).write('x', () => response.destroy()),
      /could not be reached/,
    ],
  ])('is refused when it %s', async (_case, answer, message) => {
    respond = (_request, response) => {
      answer(response);
    };
    const refused = await fetched(`${origin}/a.jpg`);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ field: 'url', message: expect.stringMatching(message) }],
    ]);
  });

  it('of a silent host waits for hosts of the same account, and no other account’s image waits for it', async () => {
    const waiting: ServerResponse[] = [];
    const bytes = await jpeg(3);
    respond = ({ url }, response) => {
      if (url === '/silent.jpg') waiting.push(response);
      else response.end(bytes);
    };
    const other = await ownerOfNewProject(service, (await newPerson(service, owner.token)).token);
    const silent = Array.from({ length: 8 }, () => fetched(`${origin}/silent.jpg`));
    await eventually(() => Promise.resolve(expect(waiting).toHaveLength(5)));
    expect((await fetched(`${origin}/other.jpg`, other)).status).toBe(201);
    expect(waiting).toHaveLength(5);
    for (const response of waiting.slice(0, 3)) response.end(bytes);
    await eventually(() => Promise.resolve(expect(waiting).toHaveLength(8)));
    for (const response of waiting.slice(3)) response.end(bytes);
    const statuses = (await Promise.all(silent)).map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 201)).toBe(true);
  });

  it('is refused when it is not an image after all', async () => {
    respond = (_request, response) => response.setHeader('content-type', 'image/png').end('<svg/>');
    expect((await fetched(`${origin}/a.png`)).status).toBe(415);
  });

  it('is never asked for at an address that is not public, unless a setting says so', async () => {
    for (const url of [
      `${origin}/a.jpg`,
      'https://localhost/a.jpg',
      'https://[::1]/a',
      'https://10.0.0.1/',
      'http://1.1.1.1/a',
    ]) {
      const refused = await fetched(url, strict);
      expect([url, refused.status, refused.body.errors[0].field]).toEqual([url, 422, 'url']);
    }
    expect(asked).toEqual([]);
  });

  it('has an http(s) address', async () => {
    expect((await fetched('file:///etc/passwd')).status).toBe(422);
    expect((await fetched('data:image/png;base64,AAAA')).status).toBe(422);
  });
});
