import { freePort } from '@blog-content/local-infrastructure';
import type { ServiceName } from '@blog-content/payload-schemas';
import { serveHttp } from '@blog-content/service-runtime';
import type { RequestListener, ServerResponse } from 'node:http';
import { createProxyServer } from 'http-proxy-3';
import { dashboardFiles } from './dashboard-files.ts';
import { serviceForPath } from './service-for-path.ts';

/** Where a request came from is the gateway’s to say: services believe it, and limit failed sign-ins by it. */
const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
];
/**
 * One origin on loopback in front of the services. They get `X-Forwarded-For` with the address of the client alone,
 * whatever the client has sent there. What is no HTTP request is refused here, as the services do. `close()` ends it
 * and its open connections.
 */
export async function startGateway(options: {
  /** A free one when left out. @throws PortInUseError */
  port?: number;
  servicePorts: Readonly<Record<ServiceName, number>>;
  /** Of the dashboard’s files, for the paths that no service answers; without it they are 404. */
  dashboardFolder?: string;
}): Promise<{ origin: string; close(): Promise<void> }> {
  const port = await freePort(options.port);
  const proxy = createProxyServer({ xfwd: true });
  // The proxy leaves the client of an answer that breaks off waiting for the rest: a stream of events would seem to go
  // on.
  proxy.on('proxyRes', (answered, _request, response) => {
    answered.once('close', () => {
      if (!answered.complete) response.destroy();
    });
  });
  const dashboard = options.dashboardFolder === undefined ? null : dashboardFiles(options.dashboardFolder);
  const pass: RequestListener = (request, response) => {
    const path = request.url ?? '/';
    const service = serviceForPath(path);
    if (service === null) {
      if (dashboard?.(request, response)) return;
      answer(response, 404, 'No service answers this path.');
      return;
    }
    // What is left the proxy adds to, so nothing of the client’s own may be.
    for (const name of FORWARDING_HEADERS) delete request.headers[name];
    proxy.web(request, response, { target: `http://127.0.0.1:${options.servicePorts[service]}` }, () => {
      // The service is away for a moment: the public API promises 500 for that, which clients retry (contract §7.1).
      answer(response, 500, 'The service is starting or restarting; try again in a few seconds.');
    });
  };
  const server = await serveHttp(pass, { host: '127.0.0.1', port, drainTimeoutMs: 0, refusalForm: 'detail' });
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      await server.close();
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
