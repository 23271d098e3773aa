import { randomUUID } from 'node:crypto';
import { loadConfig } from '@blog-content/service-runtime';
import { eventually } from '@blog-content/testing';
import { recordingLogger } from '../test/recording-logger.ts';
import { addProject, prepareTestGround, runDispatcher } from '../test/running-dispatcher.ts';
import { environment } from './config.ts';
import { startService } from './start-service.ts';

it('releases what it has opened when its start fails half-way', async () => {
  await using ground = await prepareTestGround();
  const config = loadConfig(environment, ground.env, 'webhook-dispatcher');
  const resources = new AsyncDisposableStack();
  const failing = startService(
    // What the environment would not let through, and only the last part of the wiring reads.
    { ...config, OWNER_SESSION_JWKS: 'no keys' },
    {
      version: '9.9.9',
      logger: recordingLogger().logger,
      resources,
      draining: new AbortController().signal,
      isDraining: () => false,
      random: () => 0.5,
      now: () => new Date(),
    },
  );
  await expect(failing).rejects.toThrow();
  await resources.disposeAsync();
  {
    // What would have been left of the first has as long to connect as this one, which lets go of all it has.
    await using started = await runDispatcher(ground);
    await addProject(ground, started, randomUUID(), randomUUID());
  }
  await eventually(async () => {
    const others = await ground.query(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    expect(others).toEqual([]);
  });
});
