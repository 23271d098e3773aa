import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gauge } from 'prom-client';
import { redactText } from '../log/logger.ts';
import type { Metrics } from '../metrics.ts';
import { listen, type HttpServer } from './serve-http.ts';

const CHECK_TIMEOUT_MS = 2_000;

export interface ServeAdminOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** What must work for requests to be worth sending here, by name; each throws when it does not, or takes over 2 s. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /**
   * What may fail while other requests are worth sending here, by name: `/readyz` and `readiness_check_up` say so. They
   * run after the checks.
   */
  readonly partial?: Readonly<Record<string, () => Promise<void>>>;
  /** What else `/readyz` tells people, by name: none of it makes the service unready. */
  readonly remarks?: () => Readonly<Record<string, string>>;
  readonly metrics: Pick<Metrics, 'registry' | 'version'>;
  /** Whether the service is going down: not ready, though still alive. */
  readonly isDraining: () => boolean;
}

/** The body of `/readyz`, beside the remarks. */
export interface Readiness {
  /** `degraded` is ready, with a part that fails. */
  readonly status: 'ready' | 'degraded' | 'not_ready' | 'draining';
  readonly checks: Readonly<Record<string, { readonly status: 'ok' | 'failed'; readonly error?: string }>>;
}

/**
 * Listens for the cluster: `/healthz` (200 as long as the process answers), `/readyz` (503 when a check fails or the
 * service is draining), `/metrics` (Prometheus), where `readiness_check_up` has the result of each check. Start it first,
 * so that it is closed last.
 */
export async function serveAdmin(options: ServeAdminOptions): Promise<HttpServer> {
  const { host, port, checks, partial = {}, remarks, metrics, isDraining } = options;
  const { registry, version } = metrics;
  // However often it is asked, at most one round of checks runs.
  let running: Promise<Readiness> | null = null;
  const readiness = () =>
    (running ??= judgeReadiness(checks, partial, isDraining).finally(() => {
      running = null;
    }));

  new Gauge({
    name: 'readiness_check_up',
    help: '1 while a check of /readyz succeeds, otherwise 0.',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      const { checks: results } = await readiness();
      for (const [check, { status }] of Object.entries(results)) this.set({ check }, status === 'ok' ? 1 : 0);
    },
  });

  const answer = async (path: string): Promise<{ status: number; type?: string; body: string }> => {
    switch (path) {
      case '/healthz':
        return { status: 200, body: JSON.stringify({ status: 'ok', version }) };
      case '/readyz': {
        const ready = await readiness();
        return {
          status: ready.status === 'ready' || ready.status === 'degraded' ? 200 : 503,
          body: JSON.stringify({ ...ready, ...remarks?.() }),
        };
      }
      case '/metrics':
        return { status: 200, type: registry.contentType, body: await registry.metrics() };
      default:
        return { status: 404, body: JSON.stringify({ detail: 'Available: /healthz, /readyz and /metrics.' }) };
    }
  };

  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const allowed = request.method === 'GET' || request.method === 'HEAD';
    const answered = allowed
      ? answer(path)
      : Promise.resolve({ status: 405, body: JSON.stringify({ detail: 'Only GET is allowed here.' }) });
    answered
      .catch(() => ({ status: 500, body: JSON.stringify({ detail: 'Metrics collection failed.' }) }))
      .then(({ status, type = 'application/json', body }: { status: number; type?: string; body: string }) => {
        response.writeHead(status, {
          'Content-Type': type,
          'Cache-Control': 'no-store',
          ...(!allowed && { Allow: 'GET, HEAD' }),
        });
        response.end(request.method === 'HEAD' ? undefined : body);
      })
      .catch(() => response.destroy());
  });
  await listen(server, host, port);

  let closed: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      (closed ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })),
  };
}

async function judgeReadiness(
  checks: ServeAdminOptions['checks'],
  partial: ServeAdminOptions['checks'],
  isDraining: () => boolean,
): Promise<Readiness> {
  const results = await judgeAll(checks);
  const partialResults = await judgeAll(partial);
  const status = hasFailed(results) ? 'not_ready' : hasFailed(partialResults) ? 'degraded' : 'ready';
  return {
    status: isDraining() ? 'draining' : status,
    checks: Object.fromEntries([...results, ...partialResults]),
  };
}

const judgeAll = (checks: ServeAdminOptions['checks']) =>
  Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await judge(check)] as const));

const hasFailed = (results: Awaited<ReturnType<typeof judgeAll>>): boolean =>
  results.some(([, { status }]) => status === 'failed');

async function judge(check: () => Promise<void>): Promise<{ status: 'ok' | 'failed'; error?: string }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${String(CHECK_TIMEOUT_MS)} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), late]);
    return { status: 'ok' };
  } catch (error) {
    return { status: 'failed', error: redactText(error instanceof Error ? error.message : String(error)) };
  } finally {
    clearTimeout(timer);
  }
}
