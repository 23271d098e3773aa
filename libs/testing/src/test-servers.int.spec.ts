import { kafkaAvailability, pingKafka } from '@blog-content/local-infrastructure';
import { testKafkaBrokers } from './index.ts';

// Without any way to Kafka this half is skipped, loudly; in CI it fails.
const kafkaFound = await kafkaAvailability();
if (!kafkaFound.available) console.warn(`NOT TESTED without Kafka: ${kafkaFound.reason}`);
const describeWithKafka = kafkaFound.available || process.env['CI'] ? describe : describe.skip;

describeWithKafka('testKafkaBrokers', () => {
  it('names brokers that answer, the same ones again', async () => {
    const brokers = testKafkaBrokers();

    await Promise.all(brokers.map((broker) => pingKafka(broker)));
    expect(brokers.length).toBeGreaterThan(0);
    expect(testKafkaBrokers()).toEqual(brokers);
  });
});
