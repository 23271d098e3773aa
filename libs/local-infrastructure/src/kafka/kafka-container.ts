import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Wait, getContainerRuntimeClient } from 'testcontainers';
import { freePort } from '../free-port.ts';
import {
  kafkaJvmOptions,
  kafkaSettings,
  kafkaStartTimeoutMs,
  type KafkaBackend,
  type KafkaBackendOptions,
} from './kafka-settings.ts';
import { LoopbackContainer } from './loopback-container.ts';
import { untilKafkaAnswers } from './ping-kafka.ts';

export const KAFKA_IMAGE = 'apache/kafka:4.1.0';

/**
 * One broker, its own controller, in a container. Its topics live in a volume named after `dataDir`, or in the
 * container alone when disposable. Testcontainers' own reaper removes the container should this process disappear.
 */
export async function startKafkaInContainer(options: KafkaBackendOptions): Promise<KafkaBackend> {
  options.onProgress?.(`Starting Apache Kafka in a container (${KAFKA_IMAGE})`);
  const port = await freePort(options.port);
  const broker = `127.0.0.1:${port}`;
  const settings = {
    ...kafkaSettings,
    'controller.quorum.voters': '1@127.0.0.1:9093',
    listeners: 'PLAINTEXT://:9092,CONTROLLER://127.0.0.1:9093',
    'advertised.listeners': `PLAINTEXT://${broker}`,
    'log.dirs': '/var/lib/kafka/data',
  };
  const environment = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`KAFKA_${name.toUpperCase().replaceAll('.', '_')}`, value]),
  );
  const container = new LoopbackContainer(KAFKA_IMAGE)
    .withEnvironment({ ...environment, KAFKA_HEAP_OPTS: kafkaJvmOptions.join(' ') })
    // Chosen here rather than by the engine, because the broker must advertise it.
    .withExposedPorts({ container: 9092, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(kafkaStartTimeoutMs);
  if (!options.disposable) {
    container.withBindMounts([{ source: volumeName(options.dataDir), target: '/var/lib/kafka/data', mode: 'rw' }]);
  }
  const started = await container.start();
  const answers = () => untilKafkaAnswers(broker, kafkaStartTimeoutMs);
  try {
    await answers();
  } catch (error) {
    await started.stop();
    throw error;
  }
  const engine = await getContainerRuntimeClient();
  const handle = engine.container.getById(started.getId());
  return {
    brokers: [broker],
    async stop() {
      await started.stop({ timeout: 10_000 });
      if (options.disposable) await rm(options.dataDir, { recursive: true, force: true });
    },
    async kill() {
      await handle.kill();
    },
    async restart() {
      if ((await handle.inspect()).State.Running) await handle.stop({ t: 10 });
      await handle.start();
      await answers();
    },
  };
}

function volumeName(dataDir: string): string {
  return `blog-content-kafka-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
}
