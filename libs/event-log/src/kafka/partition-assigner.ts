import { AssignerProtocol, type GroupMember as KafkaMember, type PartitionAssigner } from 'kafkajs';
import { sharePartitions } from '../partitions/share-partitions.ts';

const VERSION = 1;

/**
 * Shares partitions among the members that have handlers for their topics. (kafkajs's own assigner also gives them to
 * members that have none, which then lie idle while two releases with different handlers run side by side.)
 */
export const partitionAssigner: PartitionAssigner = ({ cluster }) => ({
  name: 'BlogContentShares',
  version: VERSION,

  async assign({ members: kafkaMembers }) {
    const members = kafkaMembers.map((member) => ({ id: member.memberId, topics: new Set(topicsOf(member)) }));
    const topics = [...new Set(members.flatMap((member) => [...member.topics]))];
    await cluster.addMultipleTargetTopics(topics);
    const partitions = topics.flatMap((topic) =>
      cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ topic, partition: partitionId })),
    );
    return [...sharePartitions(members, partitions)].map(([memberId, share]) => {
      const byTopic = Map.groupBy(share, ({ topic }) => topic);
      const assignment = Object.fromEntries([...byTopic].map(([topic, of]) => [topic, of.map((p) => p.partition)]));
      return {
        memberId,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({
          version: VERSION,
          assignment,
          userData: Buffer.alloc(0),
        }),
      };
    });
  },

  protocol({ topics }) {
    return {
      name: this.name,
      metadata: AssignerProtocol.MemberMetadata.encode({ version: VERSION, topics, userData: Buffer.alloc(0) }),
    };
  },
});

function topicsOf({ memberMetadata }: KafkaMember): string[] {
  return AssignerProtocol.MemberMetadata.decode(memberMetadata)?.topics ?? [];
}
