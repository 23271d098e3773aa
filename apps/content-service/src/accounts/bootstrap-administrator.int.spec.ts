import { createLogger } from '@blog-content/service-runtime';
import { eventually } from '@blog-content/testing';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { OWNER, startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;

let logged = '';
const log = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logged += chunk.toString();
    done();
  },
});

beforeAll(async () => {
  service = await startRunningService({}, createLogger('content-service', 'error', log));
});

afterAll(() => service?.[Symbol.asyncDispose]());

/** An address of the database that refuses every connection until `comes` is called. */
async function startAbsentDatabase(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  let isThere = false;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (!isThere) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname).on('error', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    comes: () => void (isThere = true),
    [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))),
  };
}

describe('a start before the database', () => {
  it('is not ready, waits for it, and creates the administrator when it comes', async () => {
    await using database = await startAbsentDatabase(service.databaseUrl);
    const email = 'late@example.com';
    const replica = await service.startReplica({ DATABASE_URL: database.url, BOOTSTRAP_OWNER_EMAIL: email });
    await using resources = new AsyncDisposableStack();
    resources.defer(replica.stop);
    const ready = async () => {
      const answer = await fetch(`http://127.0.0.1:${replica.adminPort}/readyz`);
      return { status: answer.status, body: await answer.json() };
    };
    const signIn = () => replica.call('POST', 'session', { json: { email, password: OWNER.password } });

    expect(await ready()).toMatchObject({ status: 503, body: { checks: { administrator: { status: 'failed' } } } });
    expect(await signIn()).toMatchObject({ status: 503, headers: { 'retry-after': expect.anything() } });
    await eventually(() => expect(logged).toContain('administrator.bootstrap_failed'));

    database.comes();
    await replica.bootstrapped;
    expect((await signIn()).status).toBe(201);
    await eventually(async () => {
      expect(await ready()).toMatchObject({ status: 200, body: { checks: { administrator: { status: 'ok' } } } });
    });
  });

  it('is aborted when the service is stopped', async () => {
    await using database = await startAbsentDatabase(service.databaseUrl);
    const replica = await service.startReplica({ DATABASE_URL: database.url });
    await replica.stop();
    await replica.bootstrapped;
  });
});
