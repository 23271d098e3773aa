import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { answerParent } from '../../processes/child.ts';
import { createExpressPgHandler } from './express-pg-handler.ts';

process.env['NODE_ENV'] = 'production';

answerParent(async ({ databaseUrl, poolSize }: { databaseUrl: string; poolSize: number }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const server = createExpressPgHandler(pool).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port };
});
