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
import { startContentService } from './content-service.ts';

/** The share of the time for shutting down in which running answers to owners may end. */
const DRAIN_SHARE = 0.5;

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

await runService('content-service', async ({ name, env, logger, resources, isDraining }) => {
  const config = loadConfig(environment, env, name);
  const tracing = startTracing({ service: name, version, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  resources.defer(() => tracing.stop());
  const metrics = createMetrics(name);
  const service = await startContentService(config, { logger, metrics });
  resources.defer(() => service.stop());

  const { checks, remarks } = service;
  const { registry } = metrics;
  const host = config.HOST;
  const admin = await serveAdmin({ host, port: config.ADMIN_PORT, checks, remarks, registry, isDraining });
  resources.defer(() => admin.close());
  const drainTimeoutMs = DRAIN_SHARE * config.SHUTDOWN_TIMEOUT_MS;
  const lastRequestMs = config.LAST_REQUEST_MS;
  const http = await serveHttp(service.app, { host, port: config.PORT, drainTimeoutMs, lastRequestMs, logger });
  resources.defer(() => http.close());
  return { port: http.port, admin_port: admin.port, version, config: describeConfig(environment, config) };
});
