import { lifecycleTopic, servedTopic, sessionsTopic } from '@blog-content/payload-schemas';
import { deadLetterTopic } from '../dead-letter.ts';
import { toKafkaTopic } from './kafka-topics.ts';

function settingsOf({ configEntries = [] }: ReturnType<typeof toKafkaTopic>): Record<string, string> {
  return Object.fromEntries(configEntries.map(({ name, value }) => [name, value]));
}

describe('toKafkaTopic', () => {
  it('keeps the newest event of every key forever, and a week of full history, as the contract says', () => {
    const topic = toKafkaTopic(lifecycleTopic, 1);
    expect(topic).toMatchObject({ topic: 'blog.lifecycle', numPartitions: 6 });
    expect(settingsOf(topic)).toMatchObject({ 'cleanup.policy': 'compact', 'min.compaction.lag.ms': '604800000' });
  });

  it('keeps other events for a time, and dead letters for long', () => {
    expect(settingsOf(toKafkaTopic(servedTopic, 1))).toMatchObject({
      'cleanup.policy': 'delete',
      'retention.ms': '259200000',
    });
    const letters = toKafkaTopic(deadLetterTopic(lifecycleTopic), 1);
    expect(letters).toMatchObject({ topic: 'blog.lifecycle.dlq', numPartitions: 6 });
    expect(settingsOf(letters)).toMatchObject({ 'cleanup.policy': 'delete', 'retention.ms': '7776000000' });
  });

  it('keeps the newest event of every key for a limited time if it is useless afterwards', () => {
    expect(settingsOf(toKafkaTopic(sessionsTopic, 1))).toMatchObject({
      'cleanup.policy': 'compact,delete',
      'min.compaction.lag.ms': '0',
      'retention.ms': '86400000',
    });
  });

  it.each([
    [1, 1, '1'],
    [2, 2, '1'],
    [3, 3, '2'],
    [9, 3, '2'],
  ])('with %i brokers has %i replicas, %s of them in sync at least', (brokers, replicationFactor, inSync) => {
    const topic = toKafkaTopic(lifecycleTopic, brokers);
    expect(topic.replicationFactor).toBe(replicationFactor);
    expect(settingsOf(topic)['min.insync.replicas']).toBe(inSync);
  });
});
