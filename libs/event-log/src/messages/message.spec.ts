import fc from 'fast-check';
import { counted, countedTopic } from '../../test/counted-topic.ts';
import type { EventEnvelope } from './envelope.ts';
import { readMessage, toMessage, type StoredMessage } from './message.ts';

const topic = countedTopic('test.messages');

function stored(envelope: EventEnvelope, change: Partial<StoredMessage> = {}): StoredMessage {
  const { partitionKey: _, ...message } = toMessage(envelope);
  return { ...message, partition: 3, offset: '42', ...change };
}

describe('readMessage', () => {
  it('restores what toMessage was given, with partition and offset', () => {
    const traceparent = fc.constantFrom(undefined, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
    fc.assert(
      fc.property(fc.string(), fc.integer(), traceparent, (project, number, parent) => {
        const envelope = { ...counted(topic, project, number), ...(parent && { traceparent: parent }) };
        const result = readMessage(stored(envelope), topic);
        expect(result).toEqual({ readable: true, event: { ...envelope, partition: 3, offset: '42' } });
      }),
    );
  });

  it('reads a value of bytes as UTF-8', () => {
    const envelope = counted(topic, 'Straße', 1);
    const value = Buffer.from(JSON.stringify(envelope.data));
    expect(readMessage(stored(envelope, { value }), topic)).toMatchObject({ event: { data: { project: 'Straße' } } });
  });

  it('drops fields that the topic’s schema does not know', () => {
    const value = JSON.stringify({ ...counted(topic, 'p', 1).data, added: 'by a later release' });
    const result = readMessage(stored(counted(topic, 'p', 1), { value }), topic);
    expect(result).toMatchObject({ readable: true, event: { data: { event: 'counted', project: 'p', number: 1 } } });
  });

  it.each([
    ['no-value', { value: null }],
    ['not-json', { value: 'event' }],
    ['schema-mismatch', { value: '{}' }],
    ['schema-mismatch', { value: 'null' }],
    ['missing-attributes', { headers: {} }],
    ['missing-attributes', { headers: { ...stored(counted(topic, 'p', 1)).headers, ce_id: 'seven' } }],
  ])('says %s when it cannot read the message', (reason, change) => {
    expect(readMessage(stored(counted(topic, 'p', 1), change), topic)).toMatchObject({ readable: false, reason });
  });

  it('distinguishes an unknown type from a broken message', () => {
    const { headers } = stored(counted(topic, 'p', 1));
    const later = { value: '{"event":"recounted"}', headers: { ...headers, ce_type: 'recounted' } };
    expect(readMessage(stored(counted(topic, 'p', 1), later), topic)).toEqual({
      readable: false,
      reason: 'unknown-type',
      type: 'recounted',
    });
  });

  it('never throws for any value and headers', () => {
    const headers = fc.dictionary(fc.constantFrom('ce_id', 'ce_type', 'ce_time', 'traceparent'), fc.string());
    fc.assert(
      fc.property(fc.option(fc.oneof(fc.string(), fc.json())), headers, (value, all) => {
        const result = readMessage({ topic: 't', partition: 0, offset: '0', key: null, value, headers: all }, topic);
        expect(result.readable).toBe(false);
      }),
    );
  });
});
