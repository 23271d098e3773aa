import { freePort } from '@blog-content/local-infrastructure';
import type { ServiceName } from '@blog-content/payload-schemas';
import { serveHttp } from '@blog-content/service-runtime';
import { Agent, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
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
/** No operation reads a body with these: what comes along is read and left out. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);
/** What an error is called when a service closes the connection on which a body is still being sent. */
const BROKEN_OFF = new Set(['EPIPE', 'ECONNRESET']);

/**
 * One origin on loopback in front of the services. They get `X-Forwarded-For` with the address of the client alone, in
 * place of what the client has sent. What is no HTTP request is refused here, as the services do. `close()` ends it and
 * its open connections.
 */
export async function startGateway(options: {
  /** A free one when left out. @throws PortInUseError */
  port?: number;
  servicePorts: Readonly<Record<ServiceName, number>>;
  /** Of the dashboard’s files, for the paths that no service answers; without it they are 404. */
  dashboardFolder?: string | undefined;
  /** Of the published packages, below `/packages/`. */
  packagesFolder?: string | undefined;
}): Promise<{ origin: string; close(): Promise<void> }> {
  const port = await freePort(options.port);
  // On a connection that stays, a service that has answered early reads the rest of the body; on one that ends with its
  // answer it closes, and the answer is lost.
  const agent = new Agent({ keepAlive: true });
  const proxy = createProxyServer({ xfwd: true, agent });
  // The proxy leaves the client of an answer that breaks off waiting for the rest: a stream of events would seem to go
  // on.
  proxy.on('proxyRes', (answered, request, response) => {
    // The client may have sent its whole body, and send the next request on this connection: what is left is read, or
    // that one would wait behind it and get the 408 of this one.
    response.once('finish', () => {
      if (request.complete) return;
      request.unpipe().resume();
      answered.socket.destroy();
    });
    answered.once('close', () => {
      if (!answered.complete) response.destroy();
    });
  });
  const { dashboardFolder, packagesFolder } = options;
  const origin = `http://127.0.0.1:${port}`;
  const answerWithFile = dashboardFiles({ dashboardFolder, packagesFolder, origin });
  const pass: RequestListener = (request, response) => {
    const path = request.url ?? '/';
    const service = serviceForPath(path);
    if (service === null) {
      if (answerWithFile(request, response)) return;
      answer(response, 404, 'No service answers this path.');
      return;
    }
    // What is left the proxy adds to, so nothing of the client’s own may be.
    for (const name of FORWARDING_HEADERS) delete request.headers[name];
    const target = `http://127.0.0.1:${options.servicePorts[service]}`;
    const forward = (buffer?: Readable) =>
      proxy.web(request, response, { target, ...(buffer && { buffer }) }, (error) => {
        void explain(error, { request, response, target });
      });
    if (WITHOUT_BODY.has(request.method ?? '')) dropBody(request, () => forward(Readable.from([])));
    else forward();
  };
  const server = await serveHttp(pass, { host: '127.0.0.1', port, drainTimeoutMs: 0, refusalForm: 'detail' });
  return {
    origin,
    async close() {
      await server.close();
      proxy.close();
      agent.destroy();
    },
  };
}

/**
 * Takes the body off a request, and goes on once all of it has come: an answer before that is lost when the client then
 * closes.
 */
function dropBody(request: IncomingMessage, then: () => void): void {
  for (const name of ['content-length', 'transfer-encoding', 'expect']) delete request.headers[name];
  request.resume().once('end', then);
}

/** Answers in place of a service that has not. */
async function explain(
  error: NodeJS.ErrnoException,
  { request, response, target }: { request: IncomingMessage; response: ServerResponse; target: string },
): Promise<void> {
  // A service that is there and reads no further does not want so much.
  const isRefused = !request.complete && BROKEN_OFF.has(error.code ?? '') && (await listens(target));
  // What is still coming is read, or the client would lose the answer in the same way.
  request.unpipe().resume();
  if (isRefused) answer(response, 413, 'The request body is too large.');
  // The service is away for a moment: the public API promises 500 for that, which clients retry (contract §7.1).
  else answer(response, 500, 'The service is starting. Try again in a few seconds.');
}

function listens(target: string): Promise<boolean> {
  const { hostname, port } = new URL(target);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
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
