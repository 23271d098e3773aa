import { createRequire } from 'node:module';
import {
  createMetrics,
  describeConfig,
  loadConfig,
  runService,
  serveAdmin,
  serveHttp,
  startTracing,
} from '@blog-content/service-runtime';
import { environment } from './config.ts';
import { startDispatcher } from './dispatcher.ts';

/** The share of the time for shutting down in which running answers to owners may end. */
const DRAIN_SHARE = 0.2;

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

await runService('webhook-dispatcher', async ({ name, env, logger, resources, draining, isDraining }) => {
  const config = loadConfig(environment, env, name);
  const tracing = startTracing({ service: name, version, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  resources.defer(() => tracing.stop());
  const metrics = createMetrics(name);
  const dispatcher = startDispatcher(config, { version, logger, metrics, random: Math.random, now: () => new Date() });
  resources.defer(() => dispatcher.stop());
  draining.addEventListener('abort', dispatcher.stopClaiming);

  const { checks, remarks } = dispatcher;
  const { registry } = metrics;
  const host = config.HOST;
  const admin = await serveAdmin({ host, port: config.ADMIN_PORT, checks, remarks, registry, isDraining });
  resources.defer(() => admin.close());
  const drainTimeoutMs = DRAIN_SHARE * config.SHUTDOWN_TIMEOUT_MS;
  const lastRequestMs = config.LAST_REQUEST_MS;
  const http = await serveHttp(dispatcher.app, { host, port: config.PORT, drainTimeoutMs, lastRequestMs, logger });
  resources.defer(() => http.close());
  return { port: http.port, admin_port: admin.port, version, config: describeConfig(environment, config) };
});
