import { CONNECTIONS_OF_REPLICA } from '@blog-content/postgres';
import { environment } from '../config.ts';
import { connectionsOfReplica, openPools } from './open-database.ts';

it('a replica has at most 15 connections to its database by default, and its pools have no more than that says', async () => {
  const poolSize = environment.shape.DATABASE_POOL_SIZE.parse(undefined);
  const nowhere = 'postgres://127.0.0.1:1/nowhere';
  const urls = { databaseUrl: nowhere, sessionUrl: nowhere };
  const { database, queuePool, planPool } = openPools(urls, poolSize, () => undefined);
  const [listener, relay] = [1, 1];
  expect(poolSize + queuePool.options.max + planPool.options.max + listener + relay).toBe(
    connectionsOfReplica(poolSize),
  );
  expect(connectionsOfReplica(poolSize)).toBe(CONNECTIONS_OF_REPLICA['webhook-dispatcher']);
  await Promise.all([database.$disconnect(), queuePool.end(), planPool.end()]);
});
