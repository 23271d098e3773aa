import { freePort } from '@blog-content/local-infrastructure';
import type { ServiceName } from '@blog-content/payload-schemas';
import { httpSurface } from '@blog-content/payload-schemas/documents';
import { createServer, type ServerResponse } from 'node:http';
import { createProxyServer } from 'http-proxy-3';

/** Where a request came from is the gateway’s to say: services believe it, and limit failed sign-ins by it. */
const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
];
/** What decides the service: which resource of a project it is, or which API, or else whether it is an image. */
const RESOURCE = /^\/blog\/api\/v1\/owner\/projects\/[^/]+\/([^/]+)/;
const API = /^\/(?:blog\/api\/v1\/(owner|agent|public)|(images))\//;
const routesOf = (path: string): (string | undefined)[] => {
  const resource = RESOURCE.exec(path)?.[1];
  const [, api, images] = API.exec(path) ?? [];
  return [resource && `projects/${resource}`, api ?? images, path];
};
const serviceOfRoute = new Map<string | undefined, ServiceName>([
  ...httpSurface.map(({ path, service }) => [routesOf(path).find(Boolean), service] as const),
  // The agent API as tools; it is no operation of the HTTP API.
  ['/mcp', 'content-service'],
  // Kept for the dispatcher; nothing answers there yet.
  ['projects/direct-integrations', 'webhook-dispatcher'],
]);

/**
 * Which service answers a request target, with or without a query: the one whose operation goes by the same route, as
 * the ingress of every deployment has it (docs/ARCHITECTURE.md, "HTTP surface"). Null when none does.
 */
export function serviceForPath(target: string): ServiceName | null {
  const [path = ''] = target.split('?', 1);
  for (const route of routesOf(path)) {
    const service = serviceOfRoute.get(route);
    if (service !== undefined) return service;
  }
  return null;
}

/**
 * One origin on loopback in front of the services. They get `X-Forwarded-For` with the address of the client alone,
 * whatever the client has sent there. `close()` ends it and its open connections.
 */
export async function startGateway(options: {
  /** A free one when left out. @throws PortInUseError */
  port?: number;
  servicePorts: Readonly<Record<ServiceName, number>>;
}): Promise<{ origin: string; close(): Promise<void> }> {
  const port = await freePort(options.port);
  const proxy = createProxyServer({ xfwd: true });
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const service = serviceForPath(path);
    if (service === null) {
      answer(response, 404, 'No service answers this path.');
      return;
    }
    // What is left the proxy adds to, so nothing of the client’s own may be.
    for (const name of FORWARDING_HEADERS) delete request.headers[name];
    proxy.web(request, response, { target: `http://127.0.0.1:${options.servicePorts[service]}` }, () => {
      // The service is away for a moment: the public API promises 500 for that, which clients retry (spec §7.1).
      answer(response, 500, 'The service is starting or restarting; try again in a few seconds.');
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      proxy.close();
    },
  };
}

function answer(response: ServerResponse, status: number, detail: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, {
    'Content-Type': 'application/json',
    ...(status === 500 && { 'Retry-After': '2' }),
  });
  response.end(JSON.stringify({ detail }));
}
