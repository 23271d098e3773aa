import fc from 'fast-check';
import { createPushedMessages, toParts, type Contents } from './pushed-messages.ts';

const contentsOf = (...values: string[]): Contents =>
  values.map((value, index) => ({ key: `k${index}`, headers: { ce_id: `${index}` }, value }));
const notifications = (contents: Contents, offset = 7) =>
  toParts(contents).map((part) => `topic:blog.served/3 ${offset} ${part}`);

const hearAll = () => createPushedMessages(() => true);

describe('messages that consumers are told of', () => {
  it('are the messages of the append, whatever is in them, in notifications of less than 8,000 bytes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', size: 'large' }), { minLength: 1, maxLength: 5 }),
        fc.nat(),
        (values, offset) => {
          const told = notifications(contentsOf(...values), offset);
          fc.pre(!told[0]!.endsWith('0/0 '));
          for (const one of told) expect(Buffer.byteLength(one)).toBeLessThan(8_000);
          const hear = hearAll();
          const heard = told.map(hear);
          expect(heard.slice(0, -1)).toEqual(told.slice(1).map(() => null));
          expect(heard.at(-1)).toEqual({
            partition: 'blog.served/3',
            messages: values.map((value, index) => ({
              topic: 'blog.served',
              partition: 3,
              offset: String(offset + index),
              key: `k${index}`,
              headers: { ce_id: `${index}` },
              value,
            })),
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ['1', 10, 1],
    ['2 of letters', 15_000, 2],
    ['4 of letters', 30_000, 4],
  ])('take as many notifications as they need: %s', (_what, length, count) => {
    expect(notifications(contentsOf('x'.repeat(length)))).toHaveLength(count);
  });

  it('are cut between characters', () => {
    for (const character of ['é', '€', '😀']) {
      for (const shift of ['', 'a', 'ab', 'abc']) {
        const value = shift + character.repeat(5_000);
        const hear = hearAll();
        expect(notifications(contentsOf(value)).map(hear).at(-1)?.messages?.[0]?.value).toBe(value);
      }
    }
  });

  it.each([
    ['in all', 'x'.repeat(31_000)],
    ['but not characters', '€'.repeat(11_000)],
    ['as JSON, but not without', '\0'.repeat(10_000)],
  ])('are to be fetched when they are too many bytes: %s', (_what, value) => {
    const told = notifications(contentsOf(value));
    expect(told).toEqual(['topic:blog.served/3 7 0/0 ']);
    expect(told.map(hearAll())).toEqual([{ partition: 'blog.served/3', messages: null }]);
  });

  it('are to be fetched when their beginning was not heard', () => {
    const [, second, third] = notifications(contentsOf('x'.repeat(20_000)));
    const hear = hearAll();
    expect([second!, third!].map(hear)).toEqual([
      { partition: 'blog.served/3', messages: null },
      { partition: 'blog.served/3', messages: null },
    ]);
    // Part of another append.
    const [first] = notifications(contentsOf('y'.repeat(20_000)), 9);
    expect([first!, second!].map(hear)).toEqual([null, { partition: 'blog.served/3', messages: null }]);
  });

  it('are nothing to those who hold other partitions', () => {
    const hear = createPushedMessages((partition) => partition !== 'blog.served/3');
    expect(notifications(contentsOf('x'.repeat(20_000))).map(hear)).toEqual([null, null, null]);
  });

  it('are to be fetched when only the partition is named; what is told of groups is none', () => {
    const hear = hearAll();
    expect(hear('topic:blog.served/3')).toEqual({ partition: 'blog.served/3', messages: null });
    expect(hear('group:webhook-dispatcher')).toBeNull();
    expect(hear('')).toBeNull();
  });
});
