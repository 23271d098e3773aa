import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestCertificate, eventually, startReceiver } from '@blog-content/testing';
import { spawnDispatcher } from '../test/dispatcher-process.ts';
import { servedEvent, testBlog } from '../test/events.ts';
import { startRelay } from '../test/relay.ts';
import { addProject, prepareTestGround, runDispatcher } from '../test/running-dispatcher.ts';

it('a process that is paused during a TLS handshake beyond its lease sends no older content after newer', async () => {
  await using resources = new AsyncDisposableStack();
  const ground = resources.use(await prepareTestGround());
  const certificate = await createTestCertificate();
  const receiver = resources.adopt(await startReceiver({ certificate }), (open) => open.close());
  const relay = resources.use(await startRelay(receiver.port, { holds: true }));
  const folder = resources.adopt(await mkdtemp(join(tmpdir(), 'paused-')), (path) => rm(path, { recursive: true }));
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, certificate.authority);

  const [owner, projectId] = [randomUUID(), randomUUID()];
  {
    await using dispatcher = await runDispatcher(ground);
    await addProject(ground, dispatcher, projectId, owner);
    const url = `https://localhost:${relay.port}/hook`;
    await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, { url });
  }
  const env = {
    ...ground.env,
    RECEIVER_ALLOWED_RANGES: '127.0.0.0/8,::1/128',
    NODE_EXTRA_CA_CERTS: authority,
    LEASE_MS: '2000',
    RETRY_DELAYS_MS: '0',
  };
  const spawn = async () =>
    resources.adopt(await spawnDispatcher(env), async (started) => void (await started.end('SIGKILL')));

  const blog = testBlog(projectId);
  const [older, newer] = [blog.published({ trigger: 'autopilot' }), blog.published({ trigger: 'autopilot' })];
  const paused = await spawn();
  await ground.append(older, servedEvent(older));
  await eventually(() => expect(relay.connections).toBe(1));
  await ground.append(newer, servedEvent(newer));
  await eventually(async () => expect(await ground.query('SELECT FROM delivery')).toHaveLength(2));
  paused.signal('SIGSTOP');
  relay.release();

  await spawn();
  const delivered = await receiver.waitFor(() => true, 30_000);
  expect(delivered.json()).toMatchObject({ idempotency_key: `${blog.id}:${newer.data.publish_id}` });
  paused.signal('SIGCONT');
  await eventually(() => expect(paused.lines).toContainEqual(expect.objectContaining({ event: 'delivery.released' })));
  expect(receiver.requests).toHaveLength(1);
});
