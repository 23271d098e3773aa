/** A consumer of a group and the topics it has handlers for. */
export interface GroupMember {
  readonly id: string;
  readonly topics: ReadonlySet<string>;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/**
 * Shares partitions out among the members of a group: each to one member that has a handler for the topic (members of
 * different releases may differ), as evenly as can be. The same input in any order gives the same answer, so that
 * members that each work it out alone agree.
 */
export function sharePartitions<Partition extends TopicPartition>(
  members: readonly GroupMember[],
  partitions: readonly Partition[],
): ReadonlyMap<string, readonly Partition[]> {
  const byId = members.toSorted((a, b) => compare(a.id, b.id));
  const shares = new Map<string, Partition[]>(byId.map(({ id }) => [id, []]));
  for (const partition of partitions.toSorted((a, b) => compare(a.topic, b.topic) || a.partition - b.partition)) {
    let least: Partition[] | undefined;
    for (const member of byId) {
      const share = shares.get(member.id);
      if (share && member.topics.has(partition.topic) && (!least || share.length < least.length)) least = share;
    }
    least?.push(partition);
  }
  return shares;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
