import { createRequire } from 'node:module';
import { describeConfig, loadConfig, runService } from '@blog-content/service-runtime';
import { environment } from './config.ts';
import { startService } from './start-service.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

await runService('public-read-service', async ({ name, env, ...context }) => {
  const config = loadConfig(environment, env, name);
  const { port, adminPort } = await startService(config, { version, nowMs: () => Date.now(), ...context });
  return { port, admin_port: adminPort, version, config: describeConfig(environment, config) };
});
