import { readEventId, writeEventId } from './event-id.ts';

const sentAt = new Date('2026-11-23T12:00:00.000Z');
const write = (snapshot: string) => writeEventId({ sentAt, snapshot });

describe('the id of a project’s event', () => {
  it.each(['10:10:', '10:20:10', '10:20:10,12,19'])('has the snapshot %s and when it was sent', (snapshot) => {
    expect(readEventId(write(snapshot))).toEqual({ sentAt, snapshot });
  });

  it('leaves out a long list of what is under way: some comes again, nothing is missed', () => {
    const list = Array.from({ length: 500 }, (_value, index) => 1_000 + index).join(',');
    expect(readEventId(write(`1000:2000:${list}`))).toEqual({ sentAt, snapshot: '1000:1000:' });
  });

  it.each([
    ...[undefined, '', '1', '1.1', '1.1:1', '1.a:b:', '1.0:1:', '1.2:1:', '1.1:3:3', '1.1:9:5,4', '1.1:9:5,5'],
    ...['1.5:9:4', '1.1:9:,', "1.1:2:'", `1.1:2:${'1'.repeat(3_000)}`, '1.9999999999999999999:9999999999999999999:'],
  ])('is none when the database would not read it: %j', (text) => {
    expect(readEventId(text)).toBeNull();
  });
});
