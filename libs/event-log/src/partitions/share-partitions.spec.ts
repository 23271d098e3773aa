import fc from 'fast-check';
import { sharePartitions, type GroupMember, type TopicPartition } from './share-partitions.ts';

const topics = ['blog.lifecycle', 'blog.projects', 'blog.served'];
const member = fc.record({ id: fc.uuid(), topics: fc.subarray(topics).map((names) => new Set(names)) });
const members = fc.uniqueArray(member, { selector: ({ id }) => id, maxLength: 8 });
const partitions = fc
  .tuple(...topics.map(() => fc.integer({ min: 1, max: 12 })))
  .map((counts) => topics.flatMap((topic, i) => range(topic, counts[i] ?? 0)));

function range(topic: string, count: number): TopicPartition[] {
  return Array.from({ length: count }, (_, partition) => ({ topic, partition }));
}

describe('sharePartitions', () => {
  it('assigns every partition with a handler to exactly one member that has it', () => {
    fc.assert(
      fc.property(members, partitions, (group, all) => {
        const shares = sharePartitions(group, all);
        const given = group.flatMap(({ id, topics: handled }) => {
          const share = shares.get(id) ?? [];
          expect(share.every(({ topic }) => handled.has(topic))).toBe(true);
          return share.map(({ topic, partition }) => `${topic}/${partition}`);
        });
        const wanted = all.filter(({ topic }) => group.some((one) => one.topics.has(topic)));
        expect(given.sort()).toEqual(wanted.map(({ topic, partition }) => `${topic}/${partition}`).sort());
      }),
    );
  });

  it('gives members with the same handlers shares that differ by one partition at most', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 8 }), partitions, (ids, all) => {
        const group = ids.map((id): GroupMember => ({ id, topics: new Set(topics) }));
        const sizes = [...sharePartitions(group, all).values()].map(({ length }) => length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('does not depend on the order in which members and partitions are listed', () => {
    fc.assert(
      fc.property(members, partitions, (group, all) => {
        expect(sharePartitions(group.toReversed(), all.toReversed())).toEqual(sharePartitions(group, all));
      }),
    );
  });
});
