import { createSlots } from './slots.ts';

it('a tenant holds so many slots, and all of them so many together', () => {
  const slots = createSlots(3, 2);
  expect(slots.enter('a')).not.toBeNull();
  expect(slots.enter('a')).not.toBeNull();
  expect(slots.enter('a')).toBeNull();
  expect(slots.enter('b')).not.toBeNull();
  expect(slots.enter('b')).toBeNull();
});

it('a slot that is given back is there for others', () => {
  const slots = createSlots(1, 1);
  const leave = slots.enter('a');
  expect(slots.enter('b')).toBeNull();
  leave?.();
  expect(slots.enter('b')).not.toBeNull();
});
