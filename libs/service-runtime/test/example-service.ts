import { setTimeout as sleep } from 'node:timers/promises';
import {
  baseEnvironment,
  createHttpApp,
  createMetrics,
  describeConfig,
  loadConfig,
  problemErrorHandler,
  problemNotFoundHandler,
  runService,
  secret,
  serveAdmin,
  serveHttp,
} from '../src/index.ts';
import { z } from 'zod';

const environment = z.object({
  ...baseEnvironment,
  GREETING: secret(z.string().min(3)),
  TROUBLE: z.enum(['start_fails', 'start_waits', 'release_hangs', 'release_fails']).optional(),
});

/** A whole service, small: what run-service.spec.ts starts, signals and breaks. */
await runService('example-service', async ({ env, resources, logger, draining, isDraining }) => {
  const config = loadConfig(environment, env, 'example-service');
  const release = (name: string) => () => logger.info('example.released', { name });
  resources.defer(release('first'));
  if (config.TROUBLE === 'release_hangs') resources.defer(() => new Promise(() => undefined));
  if (config.TROUBLE === 'release_fails') resources.defer(() => Promise.reject(new Error('It is stuck.')));
  resources.defer(release('second'));
  if (config.TROUBLE === 'start_fails') throw new Error('There is no third.');
  if (config.TROUBLE === 'start_waits') {
    const told = new Promise((resolve) => draining.addEventListener('abort', resolve));
    logger.info('example.waiting');
    await Promise.race([told, sleep(60_000, undefined, { ref: true })]);
    throw new Error('Told to stop.');
  }

  const metrics = createMetrics('example-service', '1.2.3');
  const admin = await serveAdmin({
    host: config.HOST,
    port: config.ADMIN_PORT,
    checks: {},
    metrics,
    isDraining,
  });
  resources.defer(() => admin.close());

  const app = createHttpApp({ logger, metrics });
  app.get('/slow', (_request, response) => {
    logger.info('example.slow_begun');
    process.once('SIGUSR2', () => response.json({ told: 'to answer' }));
  });
  app.get('/crash', () => {
    setImmediate(() => {
      throw new Error('Nobody catches this.');
    });
  });
  app.use(problemNotFoundHandler, problemErrorHandler(logger));
  const server = await serveHttp(app, { host: config.HOST, port: config.PORT, logger });
  resources.defer(() => server.close());
  return { port: server.port, admin_port: admin.port, config: describeConfig(environment, config) };
});
