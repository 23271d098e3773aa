import kafkajs from 'kafkajs';
import { counted, countedTopic } from '../../test/counted-topic.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { describeWithKafka, kafkaConfig } from '../../test/tested-logs.ts';
import { onTopic, openEventLog, type EventLog } from '../index.ts';

const { GZIP } = kafkajs.CompressionTypes;
const MIB = 1024 * 1024;

/** Counts what kafkajs unpacks, until it is put back. */
function countUnpacked() {
  const codec = kafkajs.CompressionCodecs[GZIP];
  const tally = { bytes: 0, putBack: () => void (kafkajs.CompressionCodecs[GZIP] = codec) };
  kafkajs.CompressionCodecs[GZIP] = () => ({
    ...codec(),
    async decompress(buffer: Buffer) {
      const unpacked = (await codec().decompress(buffer)) as Buffer;
      tally.bytes += unpacked.length;
      return unpacked;
    },
  });
  return tally;
}

describeWithKafka('one fetch from Kafka', () => {
  let log: EventLog;
  beforeAll(async () => {
    log = await openEventLog(kafkaConfig(), recordingLogger());
  });
  afterAll(() => log.close());

  it('unpacks to a few megabytes, however well the largest posts compress', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    const event = counted(topic, 'project', 1);
    const repetitive = { ...event, data: { ...event.data, padding: 'a'.repeat(500_000) } };
    for (let request = 0; request < 60; request += 1) await log.append([repetitive, repetitive]);

    const unpacked = countUnpacked();
    const first = Promise.withResolvers<number>();
    const handler = onTopic(topic, () => {
      first.resolve(unpacked.bytes);
      return Promise.resolve();
    });
    const subscription = await log.subscribe({ group: topic.name, handlers: [handler], logger: recordingLogger() });
    const bytes = await first.promise;
    await subscription.stop();
    unpacked.putBack();
    expect(bytes).toBeLessThanOrEqual(5 * MIB);
  });
});
