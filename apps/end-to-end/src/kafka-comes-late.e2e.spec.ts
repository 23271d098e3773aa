import { randomInt } from 'node:crypto';
import { freePort, kafkaAvailability, startKafka, type RunningKafka } from '@blog-content/local-infrastructure';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { eventually, startReceiver, type Receiver } from '@blog-content/testing';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProject, publishThroughAll } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const START_TIMEOUT_MS = 180_000;

// Without any way to Kafka this is skipped, loudly; in CI it fails.
const kafkaFound = await kafkaAvailability();
if (!kafkaFound.available) console.warn(`NOT TESTED without Kafka: ${kafkaFound.reason}`);
const describeWithKafka = kafkaFound.available || process.env['CI'] ? describe : describe.skip;

describeWithKafka('services that start while Kafka is away', () => {
  let folder: string;
  let port: number;
  let kafka: RunningKafka | undefined;
  let receiver: Receiver;
  let stack: Stack;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blog-content-e2e-'));
    // It must stay free until Kafka starts: `freePort` picks others’ ports from 15,000 on.
    port = await freePort(randomInt(12_000, 15_000));
    receiver = await startReceiver();
    stack = await startStack({
      kafkaBrokers: [`127.0.0.1:${port}`],
      environment: { all: { EVENT_LOG_UNREACHABLE_AFTER_MS: '3000' } },
    });
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
    await receiver?.close();
    await kafka?.stop();
  });

  const admin = async (name: ServiceName, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${stack.local.services[name].adminPort}/${path}`);
    return { status: answer.status, body: await answer.text() };
  };

  it('are ready, take writes, and say since when the log is out of reach', async () => {
    await stack.owner.post('projects', { name: 'Written without the log', site_url: null });
    for (const name of serviceNames) {
      await eventually(async () => {
        const { status, body } = await admin(name, 'readyz');
        expect(status).toBe(200);
        expect(JSON.parse(body)).toMatchObject({
          status: 'ready',
          event_log: expect.stringMatching(/^unreachable since \d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        });
      });
      expect((await admin(name, 'metrics')).body).toContain(`event_log_up{service="${name}"} 0`);
    }
  });

  it('show in their metrics what waits in the outbox meanwhile', async () => {
    const { body } = await admin('content-service', 'metrics');
    const valueOf = (metric: string) => Number(new RegExp(`^${metric}{[^}]*} (\\S+)$`, 'm').exec(body)?.[1]);
    expect(valueOf('outbox_unpublished_rows')).toBeGreaterThan(0);
    expect(valueOf('outbox_oldest_unpublished_seconds')).toBeGreaterThan(0);
  });

  it(
    'all connect when it comes, and do their work',
    async () => {
      kafka = await startKafka({ dataDir: join(folder, 'kafka'), port, brokers: [], disposable: true });
      for (const name of serviceNames) {
        await eventually(async () => {
          expect((await admin(name, 'metrics')).body).toContain(`event_log_up{service="${name}"} 1`);
          expect(JSON.parse((await admin(name, 'readyz')).body)).not.toHaveProperty('event_log');
        });
      }
      const project = await createProject(stack.owner, { siteUrl: null, receiverUrls: [receiver.url] });
      await publishThroughAll(stack.owner, project.id, 'late');
      const served = await fetch(`${stack.local.origin}/blog/api/v1/public/blogs/late`, {
        headers: { authorization: `Bearer ${project.publicKey}` },
      });
      expect(served.status).toBe(200);
    },
    START_TIMEOUT_MS,
  );
});
