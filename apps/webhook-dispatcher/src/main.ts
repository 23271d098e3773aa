import { createRequire } from 'node:module';
import { findPoolerProblems } from '@blog-content/postgres';
import { ConfigError, describeConfig, loadConfig, returnUnusedMemory, runService } from '@blog-content/service-runtime';
import { environment } from './config.ts';
import { startService } from './start-service.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

await runService('webhook-dispatcher', async ({ name, env, ...context }) => {
  const config = loadConfig(environment, env, name);
  const problems = await findPoolerProblems(config, context.logger);
  if (problems.length > 0) throw new ConfigError(name, problems);
  const { port, adminPort, connected } = await startService(config, {
    version,
    random: Math.random,
    now: () => new Date(),
    ...context,
  });
  // Kafka's client is loaded when the log is connected to.
  void connected.then(returnUnusedMemory);
  return { port, admin_port: adminPort, version, config: describeConfig(environment, config) };
});
