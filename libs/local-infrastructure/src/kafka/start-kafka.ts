import {
  givenBrokers,
  howToGetKafka,
  kafkaSources,
  KafkaUnavailableError,
  type KafkaMode,
  type KafkaSource,
} from './kafka-availability.ts';
import { messageOf } from '../server-process.ts';
import { untilKafkaAnswers } from './ping-kafka.ts';
import type { KafkaBackend, KafkaSecurity } from './kafka-settings.ts';

/** What `startKafka` is given. */
export interface StartKafkaOptions {
  /** Created when missing; holds the broker's configuration, log and (on Java) topics. One broker at a time. */
  readonly dataDir: string;
  /** Brokers to use instead of starting one. Default: the comma-separated variable `KAFKA_BROKERS`. */
  readonly brokers?: readonly string[] | undefined;
  /** Default: the variable `BLOG_KAFKA`, then `auto`. */
  readonly mode?: KafkaMode | undefined;
  /** Loopback port; a free one when not given. */
  readonly port?: number | undefined;
  /** Deletes `dataDir` on `stop`, and when this process disappears without it. */
  readonly disposable?: boolean | undefined;
  /** TLS, SCRAM and ACLs; on this machine's Java only, with a `dataDir` that is new. */
  readonly security?: KafkaSecurity | undefined;
  /** Told in one sentence what takes time. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** A Kafka broker that accepts clients. `kill` and `restart` of given brokers are refused. */
export interface RunningKafka extends KafkaBackend {
  readonly how: KafkaSource;
}

/**
 * Starts one Kafka broker and returns once it accepts clients: given brokers are only checked; else a container where
 * an engine answers; else this machine's Java. Throws `KafkaUnavailableError` when there is none of them.
 */
export async function startKafka(options: StartKafkaOptions): Promise<RunningKafka> {
  const brokers = givenBrokers(options.brokers);
  if (brokers.length > 0) return joinBrokers(brokers);

  const { security, ...insecure } = options;
  const sources = await kafkaSources(security === undefined ? options.mode : 'java');
  let containerFailure: unknown;
  for (const how of sources) {
    if (how === 'java') {
      const { startKafkaOnJava } = await import('./kafka-java.ts');
      return { how, ...(await startKafkaOnJava({ ...insecure, ...(security && { security }) })) };
    }
    try {
      const { startKafkaInContainer } = await import('./kafka-container.ts');
      return { how, ...(await startKafkaInContainer(options)) };
    } catch (error) {
      containerFailure = error;
      const next = sources.includes('java') ? '; trying local Java' : '';
      options.onProgress?.(`Kafka did not start in a container (${messageOf(error)})${next}.`);
    }
  }
  if (containerFailure !== undefined) {
    throw new KafkaUnavailableError(`Kafka did not start in a container: ${messageOf(containerFailure)}`, {
      cause: containerFailure,
    });
  }
  throw new KafkaUnavailableError(howToGetKafka);
}

async function joinBrokers(brokers: string[]): Promise<RunningKafka> {
  try {
    await Promise.any(brokers.map((broker) => untilKafkaAnswers(broker, 3_000)));
  } catch (cause) {
    throw new KafkaUnavailableError(`No Kafka broker responds at ${brokers.join(', ')}.`, { cause });
  }
  const refuse = () => Promise.reject(new Error('This broker is external. It cannot be stopped from here.'));
  return { how: 'given', brokers, stop: () => Promise.resolve(), kill: refuse, restart: refuse };
}
