import { createSilentReceivers } from './slots.ts';

let nowMs = 0;
const silent = createSilentReceivers(() => nowMs);
const ids = () => [...silent.ids()];

it('a receiver counts as silent from a time-out until it answers', () => {
  silent.note('a', 'timeout');
  silent.note('b', 'timeout');
  expect(ids()).toEqual(['a', 'b']);
  silent.note('a', 'answered');
  expect(ids()).toEqual(['b']);
});

it('what never reached it says nothing of it', () => {
  for (const outcome of ['network', 'address_refused', 'unsendable', 'interrupted'] as const) silent.note('b', outcome);
  silent.note('c', 'interrupted');
  expect(ids()).toEqual(['b']);
});

it('it is forgotten after ten minutes without another time-out', () => {
  silent.note('d', 'timeout');
  nowMs += 599_999;
  silent.note('b', 'timeout');
  nowMs += 1;
  expect(ids()).toEqual(['b']);
});
