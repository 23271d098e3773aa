import { deadLetterTopicName } from '@blog-content/payload-schemas';
import type { TopicDeclaration } from './event-log.ts';
import type { OutgoingMessage, StoredMessage, UnreadableReason } from './messages/message.ts';

/** How long dead letters are kept: 90 days. */
const KEEP_DEAD_LETTERS_MS = 90 * 24 * 3_600_000;

/** The topic that takes what no consumer of `topic` could read. */
export function deadLetterTopic({ name, partitions }: TopicDeclaration): TopicDeclaration {
  return {
    name: deadLetterTopicName(name),
    partitions,
    retention: { compacted: false, keepMs: KEEP_DEAD_LETTERS_MS },
  };
}

/**
 * The unreadable message as it goes to the dead-letter topic: key, value and headers as they were, and headers
 * `dlq_reason`, `dlq_detail`, `dlq_topic`, `dlq_partition`, `dlq_offset`, `dlq_group` that say why and where from.
 */
export function toDeadLetter(
  message: StoredMessage,
  { group, reason, detail }: { group: string; reason: UnreadableReason; detail: string },
): OutgoingMessage {
  return {
    topic: deadLetterTopicName(message.topic),
    key: message.key,
    partitionKey: message.headers['ce_partitionkey'] ?? message.key ?? String(message.partition),
    value: message.value,
    headers: {
      ...message.headers,
      dlq_reason: reason,
      dlq_detail: detail,
      dlq_topic: message.topic,
      dlq_partition: String(message.partition),
      dlq_offset: message.offset,
      dlq_group: group,
    },
  };
}
