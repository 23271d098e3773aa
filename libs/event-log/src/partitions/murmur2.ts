const M = 0x5bd1e995;
const SEED = 0x9747b28c;

/** Kafka's own hash of keys (32-bit murmur2 with Kafka's seed), as a signed integer. */
export function murmur2(text: string): number {
  const bytes = Buffer.from(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hash = SEED ^ bytes.length;
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(view.getUint32(at, true), M);
    word = Math.imul(word ^ (word >>> 24), M);
    hash = Math.imul(hash, M) ^ word;
  }
  const rest = bytes.length - whole;
  if (rest > 0) {
    for (let at = 0; at < rest; at++) hash ^= view.getUint8(whole + at) << (8 * at);
    hash = Math.imul(hash, M);
  }
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}

/** The partition, from 0 to `partitions - 1`, of a partition key: the same in every adapter and every Kafka client. */
export function partitionOf(partitionKey: string, partitions: number): number {
  return (murmur2(partitionKey) & 0x7fffffff) % partitions;
}
