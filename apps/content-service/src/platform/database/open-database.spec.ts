import { CONNECTIONS_OF_REPLICA } from '@blog-content/postgres';
import { environment } from '../../config.ts';
import { connectionsOfReplica } from './open-database.ts';

it('a replica has at most 11 connections to its database by default', () => {
  const poolSize = environment.shape.DATABASE_POOL_SIZE.parse(undefined);
  expect(connectionsOfReplica(poolSize)).toBe(CONNECTIONS_OF_REPLICA['content-service']);
});
