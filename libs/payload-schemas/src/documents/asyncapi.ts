import { deadLetterTopicName, type Retention, type Topic } from '../topic.ts';
import { embeddedSchemaOf, type JsonSchema } from './json-schema.ts';

/** CloudEvents 1.0 attributes as Kafka headers (binary content mode). */
const cloudEventHeaders: JsonSchema = {
  type: 'object',
  required: ['ce_specversion', 'ce_id', 'ce_type', 'ce_source', 'ce_time', 'ce_partitionkey'],
  properties: {
    ce_specversion: { const: '1.0' },
    ce_id: { type: 'string', format: 'uuid', description: 'Unique. A redelivered event keeps its ID.' },
    ce_type: { type: 'string', description: 'Equals the field `event` of the payload.' },
    ce_source: { type: 'string', description: 'The service that emitted it.' },
    ce_time: { type: 'string', format: 'date-time' },
    ce_partitionkey: { type: 'string', description: 'Events with the same partition key keep their order.' },
    traceparent: { type: 'string', description: 'W3C trace context.' },
  },
};

/** The AsyncAPI 3 document of the topics: a public contract for any consumer. */
export function asyncApiDocument(topics: readonly Topic[], version: string): JsonSchema {
  const channels: Record<string, unknown> = {};
  const operations: Record<string, unknown> = {};
  const messages: Record<string, unknown> = {};
  for (const topic of topics) {
    const id = topic.name.replaceAll('.', '_');
    messages[id] = {
      name: topic.name,
      title: topic.description,
      contentType: 'application/json',
      headers: cloudEventHeaders,
      payload: embeddedSchemaOf(topic.schema, 'output'),
      bindings: { kafka: { key: { type: 'string', format: 'uuid' } } },
    };
    channels[id] = {
      address: topic.name,
      description: `${topic.description} Messages that a consumer cannot read go to ${deadLetterTopicName(topic.name)}.`,
      messages: { [id]: { $ref: `#/components/messages/${id}` } },
      bindings: {
        kafka: {
          topic: topic.name,
          partitions: topic.partitions,
          topicConfiguration: configurationOf(topic.retention),
        },
      },
    };
    operations[`receive_${id}`] = { action: 'receive', channel: { $ref: `#/channels/${id}` } };
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Blog Content Service: topics',
      version,
      description: 'CloudEvents 1.0 in Kafka binary mode. Delivery is at least once: deduplicate by event ID.',
    },
    defaultContentType: 'application/json',
    channels,
    operations,
    components: { messages },
  };
}

function configurationOf(retention: Retention): JsonSchema {
  if (!retention.compacted) return { 'cleanup.policy': ['delete'], 'retention.ms': retention.keepMs };
  const { fullHistoryMs, keepMs } = retention;
  return {
    'cleanup.policy': keepMs === undefined ? ['compact'] : ['compact', 'delete'],
    'min.compaction.lag.ms': fullHistoryMs,
    ...(keepMs !== undefined && { 'retention.ms': keepMs }),
  };
}
