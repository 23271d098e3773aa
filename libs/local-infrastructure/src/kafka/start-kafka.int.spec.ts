import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getContainerRuntimeClient } from 'testcontainers';
import {
  freePort,
  kafkaAvailability,
  KafkaUnavailableError,
  pingKafka,
  startKafka,
  type RunningKafka,
} from '../index.ts';
import { KAFKA_IMAGE } from './kafka-container.ts';
import { LoopbackContainer } from './loopback-container.ts';

// Without any way to Kafka this half is skipped, loudly; in CI it fails.
const kafkaFound = await kafkaAvailability();
if (!kafkaFound.available) console.warn(`NOT TESTED without Kafka: ${kafkaFound.reason}`);
const describeWithKafka = kafkaFound.available || process.env['CI'] ? describe : describe.skip;

describeWithKafka('startKafka', () => {
  let dataDir: string;
  let kafka: RunningKafka;
  const ping = () => pingKafka(kafka.brokers[0]!);

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'blog-content-kafka-'));
    kafka = await startKafka({ dataDir, brokers: [], disposable: true });
  });

  afterAll(async () => {
    await kafka.stop();
    await expect(ping()).rejects.toThrow();
    expect(existsSync(dataDir)).toBe(false);
  });

  it('returns when clients are answered, on loopback', async () => {
    await ping();
    expect(kafka.brokers).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+$/)]);
  });

  it('is reachable from this machine alone', async () => {
    const port = Number(kafka.brokers[0]!.split(':')[1]);
    const others = Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address),
    );
    for (const address of others) await expect(pingKafka(`${address}:${port}`)).rejects.toThrow();
  });

  it('leaves no container behind that did not start', async () => {
    // On Java there is none.
    if (kafka.how !== 'container') return;
    const [name, value] = ['blog-content.test', randomUUID()];
    const port = Number(kafka.brokers[0]!.split(':')[1]);
    const container = new LoopbackContainer(KAFKA_IMAGE)
      .withLabels({ [name]: value })
      .withExposedPorts({ container: 9092, host: port });
    await expect(container.start()).rejects.toThrow();
    const engine = await getContainerRuntimeClient();
    expect(await engine.container.fetchByLabel(name, value, { status: ['created', 'exited'] })).toBeUndefined();
  });

  it('comes back at the same address after a crash and after an orderly restart', async () => {
    await kafka.kill();
    await expect(ping()).rejects.toThrow();
    await kafka.restart();
    await ping();
    await kafka.restart();
    await ping();
  });

  it('uses given brokers and refuses to stop them', async () => {
    const given = await startKafka({ dataDir: 'unused', brokers: kafka.brokers });

    expect(given.how).toBe('given');
    await expect(given.kill()).rejects.toThrow('cannot be stopped from here');
    await given.stop();
    await ping();
  });

  it('describes how this machine would run it', async () => {
    expect(await kafkaAvailability()).toMatchObject({ available: true });
  });
});

describe('pingKafka', () => {
  it('rejects if nothing listens, and so does startKafka', async () => {
    const broker = `127.0.0.1:${await freePort()}`;

    await expect(pingKafka(broker)).rejects.toThrow('ECONNREFUSED');
    await expect(startKafka({ dataDir: 'unused', brokers: [broker] })).rejects.toThrow(KafkaUnavailableError);
  });

  it('rejects if something else answers', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');

    await expect(pingKafka(`127.0.0.1:${(server.address() as AddressInfo).port}`)).rejects.toThrow();
    server.close();
  });
});
