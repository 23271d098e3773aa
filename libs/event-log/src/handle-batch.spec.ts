import { startTracing } from '@blog-content/service-runtime';
import { startCollector } from '@blog-content/testing';
import { counted, countedTopic } from '../test/counted-topic.ts';
import { recordingLogger } from '../test/recording-logger.ts';
import { handleBatch } from './handle-batch.ts';
import { toMessage } from './messages/message.ts';
import { onTopic } from './event-log.ts';

const traceOf = (number: number) => ({
  traceId: number.toString(16).padStart(32, 'a'),
  spanId: number.toString(16).padStart(16, 'b'),
});

it('makes one span of a batch, which links the trace of each event', async () => {
  // The largest batch of a consumer.
  const size = 250;
  await using collector = await startCollector();
  const tracing = await startTracing({ service: 'consumer', endpoint: collector.endpoint });
  const topic = countedTopic('test.traces');
  const messages = Array.from({ length: size }, (_, number) => {
    const { traceId, spanId } = traceOf(number);
    const { partitionKey: _key, ...message } = toMessage({
      ...counted(topic, 'project', number),
      traceparent: `00-${traceId}-${spanId}-01`,
    });
    return { ...message, partition: 2, offset: String(number) };
  });
  const { partitionKey: _key, ...untraced } = toMessage(counted(topic, 'project', size));
  await handleBatch([...messages, { ...untraced, partition: 2, offset: String(size) }], {
    group: 'readers',
    handler: onTopic(topic, () => Promise.resolve()),
    logger: recordingLogger(),
    appendDeadLetters: () => Promise.resolve(),
  });
  await tracing.stop();
  expect(collector.spans).toMatchObject([
    {
      name: 'test.traces process',
      traceId: traceOf(0).traceId,
      parentSpanId: traceOf(0).spanId,
      attributes: {
        'messaging.destination.name': 'test.traces',
        'messaging.consumer.group.name': 'readers',
        'messaging.batch.message_count': size + 1,
      },
      links: Array.from({ length: size }, (_, number) => traceOf(number).traceId),
    },
  ]);
});
