import { createServer, type IncomingHttpHeaders } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readFileSync } from 'node:fs';
import { forEachService } from '@blog-content/payload-schemas';
import { httpSurface } from '@blog-content/payload-schemas/documents';
import { startGateway } from './gateway.ts';
import { serviceForPath } from './service-for-path.ts';

const project = '/blog/api/v1/owner/projects/7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10';
/** Every operation's path, filled in. */
const operations = httpSurface.map(({ id, path, service }) => ({
  id,
  service,
  path: path.replaceAll(/\{\w+\}/g, '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10'),
}));

describe('the gateway’s paths (docs/ARCHITECTURE.md “HTTP surface”)', () => {
  it.each(operations)('lead $id to $service: $path', ({ path, service }) => {
    expect(serviceForPath(path)).toBe(service);
    expect(serviceForPath(`${path}?limit=2&next=/webhooks/`)).toBe(service);
  });

  it.each([
    ['/blog/api/v1/public/blogs/sitemap', 'public-read-service'],
    [`${project}/deploy-hook`, 'webhook-dispatcher'],
    [`${project}/direct-integrations`, 'webhook-dispatcher'],
    [`${project}?x=/webhooks`, 'content-service'],
    ['/images/7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10/x.jpg', 'public-read-service'],
    ['/images/', 'public-read-service'],
    ['/mcp', 'content-service'],
    ['/mcp/', 'content-service'],
    ['/mcp/?x=1', 'content-service'],
  ])('lead %s to %s', (path, service) => {
    expect(serviceForPath(path)).toBe(service);
  });

  it.each([
    '/',
    '/metrics',
    '/images',
    '/imagesx/y.jpg',
    '/mcpx',
    '/mcp/x',
    '/?/blog/api/v1/owner/session',
    '/blog/api/v2/public/blogs',
    '/blog/api/v1/publicity',
    '/blog/api/v1/openapi.json/x',
    '/blog/api/v1/openapi',
    'http://elsewhere.example/blog/api/v1/owner/session',
  ])('lead %s to nobody', (path) => {
    expect(serviceForPath(path)).toBeNull();
  });
});

describe('the routes of Kubernetes (k8s/components/gateway/routes.yaml)', () => {
  const rules = readRules();
  const matching = (path: string) => rules.filter(({ matches }) => matches(path)).map(({ service }) => service);

  it.each(operations)('lead $id to its service by exactly one rule', ({ path, service }) => {
    expect(matching(path)).toEqual([service]);
  });

  it.each(['/mcp', '/mcp/'])('lead %s to content-service', (path) => {
    expect(matching(path)).toEqual(['content-service']);
  });

  it.each(operations)('lead nothing below or beside $id by two rules', ({ path }) => {
    for (const near of [
      `${path}/`,
      `${path}/x`,
      `${path}/webhooks`,
      `${path}/public-key`,
      `${path}x`,
      `${path}/blogs/x`,
    ]) {
      expect(matching(near).length).toBeLessThanOrEqual(1);
    }
  });

  it.each(['/', '/metrics', '/healthz', '/blog/api/v1/owner', '/blog/api/v1/publicity', `${project}/unheard-of`])(
    'lead %s nowhere',
    (path) => {
      expect(matching(path)).toEqual([]);
    },
  );

  it('have at most 8 matches in a rule, which is what older gateways take', () => {
    const most = readRoutes()
      .split(/^ {4}- matches:$/m)
      .map((rule) => rule.match(/type: /g)?.length ?? 0);
    expect(Math.max(...most)).toBeLessThanOrEqual(8);
  });
});

describe('what services learn of the client', () => {
  let seen: IncomingHttpHeaders[];
  const backend = createServer((request, response) => {
    seen.push(request.headers);
    if (request.headers['x-break-off'] === undefined) {
      response.end('{}');
      return;
    }
    response.write('the beginning');
    setTimeout(() => response.destroy(), 50);
  });
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  beforeAll(async () => {
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
    const { port } = backend.address() as AddressInfo;
    const servicePorts = forEachService(() => port);
    gateway = await startGateway({ servicePorts });
  });
  beforeEach(() => {
    seen = [];
  });
  afterAll(async () => {
    await gateway.close();
    await new Promise((resolve) => {
      backend.close(resolve);
      backend.closeAllConnections();
    });
  });

  const send = (headers: Record<string, string>) =>
    fetch(`${gateway.origin}/blog/api/v1/owner/session`, { method: 'POST', headers });

  it('is its real address, and nothing that it claims itself', async () => {
    await send({
      'X-Forwarded-For': '203.0.113.9, 203.0.113.10',
      'x-FORWARDED-host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Port': '443',
      'X-Real-IP': '203.0.113.9',
      Forwarded: 'for=203.0.113.9',
    });
    const { host } = new URL(gateway.origin);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': host,
      'x-forwarded-proto': 'http',
    });
    expect(JSON.stringify(seen)).not.toMatch(/203\.0\.113|evil/);
  });

  it('ends an answer for the client where its service breaks it off', async () => {
    const answer = await send({ 'X-Break-Off': 'yes' });
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  it.each([
    ['no HTTP at all', 400, 'nonsense\r\n\r\n'],
    ['too large a header block', 431, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['an unknown expectation', 417, 'GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'],
  ])('says in a detail why %s is refused with %d', async (_what, status, bytes) => {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    socket.write(bytes);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\n\r\n{"detail":"[^"]+"}$`));
    expect(seen).toEqual([]);
  });

  it('is the same when it claims nothing; other headers go on unchanged', async () => {
    await send({ Authorization: 'Bearer x', 'X-Request-Id': 'r-1' });
    expect(seen[0]).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      authorization: 'Bearer x',
      'x-request-id': 'r-1',
    });
  });
});

function readRoutes(): string {
  return readFileSync(new URL('../../../k8s/components/gateway/routes.yaml', import.meta.url), 'utf8');
}

/** One entry per rule of each HTTPRoute; reads the YAML as far as that file uses it. */
function readRules(): { service: string; matches: (path: string) => boolean }[] {
  const rules = readRoutes()
    .split(/^ {4}- matches:$/m)
    .slice(1);
  return rules.map((rule) => {
    const service = /backendRefs: \[\{ name: ([\w-]+), port: 80 \}\]/.exec(rule)?.[1];
    const paths = [...rule.matchAll(/type: (\w+),?\s+value: (\S+)/g)];
    if (service === undefined || paths.length === 0) throw new Error(`This rule cannot be read:\n${rule}`);
    const matchers = paths.map(([, type = '', value = '']) => matcherOf(type, value));
    return { service, matches: (path) => matchers.some((matches) => matches(path)) };
  });
}

function matcherOf(type: string, value: string): (path: string) => boolean {
  switch (type) {
    case 'Exact':
      return (path) => path === value;
    case 'PathPrefix':
      return (path) => path === value || path.startsWith(`${value}/`);
    case 'RegularExpression': {
      const pattern = new RegExp(`^(?:${value})$`);
      return (path) => pattern.test(path);
    }
    default:
      throw new Error(`No such type of match: ${type}`);
  }
}
