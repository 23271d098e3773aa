import { rm } from 'node:fs/promises';
import { KafkaUnavailableError, startKafka, startPostgres } from '@blog-content/local-infrastructure';
import { disposableFolder, testPostgresSettings } from './disposable-servers.ts';

/** The servers of one test run. */
export interface TestInfrastructure {
  /** To be added to the environment of the test processes. */
  readonly env: { readonly TEST_DATABASE_URL: string; readonly TEST_KAFKA_BROKERS?: string };
  /** How Kafka runs, or why it does not: what to install. */
  readonly kafka:
    | { readonly available: true; readonly how: string }
    | { readonly available: false; readonly reason: string };
  /** Stops what was started and deletes what it wrote. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts PostgreSQL and Kafka for a whole test run; `DATABASE_URL` and `KAFKA_BROKERS` are used instead where set. When
 * this process is killed, the servers stop by themselves.
 */
export async function startTestInfrastructure(
  options: { readonly onProgress?: (message: string) => void } = {},
): Promise<TestInfrastructure> {
  const [postgresFolder, kafkaFolder] = await Promise.all([disposableFolder('postgres'), disposableFolder('kafka')]);
  const { onProgress } = options;
  const [postgresResult, kafkaResult] = await Promise.allSettled([
    startPostgres({
      dataDir: postgresFolder,
      settings: testPostgresSettings,
      disposable: true,
      ...(onProgress && { onProgress }),
    }),
    startKafka({ dataDir: kafkaFolder, disposable: true, onProgress }),
  ]);

  async function stop(): Promise<void> {
    const running = [postgresResult, kafkaResult].flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    await Promise.allSettled(running.map((server) => server.stop()));
    for (const folder of [postgresFolder, kafkaFolder]) await rm(folder, { recursive: true, force: true });
  }

  const unexpected = [postgresResult, kafkaResult].find(
    (result) => result.status === 'rejected' && !(result.reason instanceof KafkaUnavailableError),
  );
  if (postgresResult.status === 'rejected' || unexpected?.status === 'rejected') {
    await stop();
    throw unexpected?.status === 'rejected' ? unexpected.reason : new Error('PostgreSQL did not start.');
  }
  const TEST_DATABASE_URL = postgresResult.value.url('postgres');
  if (kafkaResult.status === 'rejected') {
    const reason = (kafkaResult.reason as Error).message;
    return { env: { TEST_DATABASE_URL }, kafka: { available: false, reason }, stop };
  }
  const { brokers, how } = kafkaResult.value;
  return { env: { TEST_DATABASE_URL, TEST_KAFKA_BROKERS: brokers.join(',') }, kafka: { available: true, how }, stop };
}
