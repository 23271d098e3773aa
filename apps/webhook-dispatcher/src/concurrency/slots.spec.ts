import { createPlaces } from './slots.ts';

it('a tenant holds so many places, and all of them so many together', () => {
  const places = createPlaces(3, 2);
  expect(places.enter('a')).not.toBeNull();
  expect(places.enter('a')).not.toBeNull();
  expect(places.enter('a')).toBeNull();
  expect(places.enter('b')).not.toBeNull();
  expect(places.enter('b')).toBeNull();
});

it('a place that is given back is there for others', () => {
  const places = createPlaces(1, 1);
  const leave = places.enter('a');
  expect(places.enter('b')).toBeNull();
  leave?.();
  expect(places.enter('b')).not.toBeNull();
});
