import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { findPoolerProblems } from '@blog-content/postgres';
import { ConfigError, describeConfig, loadConfig, runService } from '@blog-content/service-runtime';
import { environment } from './config.ts';
import { startService } from './start-service.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

await runService('public-read-service', async ({ name, env, ...context }) => {
  const config = loadConfig(environment, env, name);
  const problems = await findPoolerProblems(config, context.logger);
  if (problems.length > 0) throw new ConfigError(name, problems);
  const { port, adminPort } = await startService(config, { version, nowMs: Date.now, ...context });
  // V8 lets a heap with a low bound grow by little before it collects all of it, and counts buffers: reads would bring
  // that on many times a second. NODE_OPTIONS does not take this option, and what starting leaves behind is collected
  // without.
  setFlagsFromString('--heap-growing-percent=100');
  return { port, admin_port: adminPort, version, config: describeConfig(environment, config) };
});
