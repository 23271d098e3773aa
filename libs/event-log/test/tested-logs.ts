import { kafkaAvailability } from '@blog-content/local-infrastructure';
import { createEmptyDatabase, testKafkaBrokers } from '@blog-content/testing';
import type { EventLogConfig } from '../src/index.ts';

/** Where the contract tests find one adapter's log. */
export interface TestedLog {
  readonly name: 'Kafka' | 'PostgreSQL';
  /** Set by `beforeAll`. */
  readonly config: () => EventLogConfig;
}

type Brokers = { readonly brokers: readonly string[] } | { readonly missing: string };

async function findKafka(): Promise<Brokers> {
  if (!process.env['TEST_KAFKA_BROKERS']) {
    const kafka = await kafkaAvailability();
    if (!kafka.available) return { missing: kafka.reason };
  }
  return { brokers: testKafkaBrokers() };
}

// Before the tests are declared: whether there is a Kafka decides what is declared.
const kafka = await findKafka();

/** Declares the same suite for every adapter: the log's contract. */
export function describeEachLog(title: string, suite: (log: TestedLog) => void): void {
  describe(`${title} (PostgreSQL)`, () => {
    let url = '';
    let drop: () => Promise<void>;
    beforeAll(async () => {
      const database = await createEmptyDatabase();
      ({ url, drop } = database);
    });
    suite({ name: 'PostgreSQL', config: () => ({ kind: 'postgres', databaseUrl: url }) });
    // After the suite's own, which close what is connected.
    afterAll(() => drop());
  });
  describeWithKafka(`${title} (Kafka)`, () => {
    suite({ name: 'Kafka', config: kafkaConfig });
  });
}

/** Declares a suite that needs Kafka. Without one it is skipped, loudly; in CI it fails. */
export function describeWithKafka(title: string, suite: () => void): void {
  if ('brokers' in kafka) {
    describe(title, suite);
  } else if (process.env['CI']) {
    describe(title, () => {
      it('has a Kafka to run on', () => {
        throw new Error(kafka.missing);
      });
    });
  } else {
    const banner = '='.repeat(100);
    console.warn(`${banner}\nNOT TESTED: ${title}\n${kafka.missing}\n${banner}`);
    describe.skip(`${title}: NOT TESTED: ${kafka.missing}`, suite);
  }
}

/** For suites of {@link describeWithKafka}. */
export function kafkaConfig(): EventLogConfig {
  if ('missing' in kafka) throw new Error(kafka.missing);
  return { kind: 'kafka', brokers: kafka.brokers, clientId: 'contract-test' };
}
