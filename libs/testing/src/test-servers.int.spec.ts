import { pingKafka } from '@blog-content/local-infrastructure';
import { testKafkaBrokers } from './index.ts';

describe('testKafkaBrokers', () => {
  it('names brokers that answer, the same ones again', async () => {
    const brokers = await testKafkaBrokers();

    await Promise.all(brokers.map((broker) => pingKafka(broker)));
    expect(brokers.length).toBeGreaterThan(0);
    expect(await testKafkaBrokers()).toEqual(brokers);
  });
});
