import { atMost } from './at-most.ts';

it('so many calls are under way at once, and the others begin in their order, whatever came of those before', async () => {
  const begun: number[] = [];
  const ends = [1, 2, 3, 4].map(() => Promise.withResolvers<string>());
  const call = atMost(2, (place: number) => {
    begun.push(place);
    return ends[place]?.promise ?? Promise.reject(new Error('no such call'));
  });
  const results = [0, 1, 2, 3].map((place) => call(place).catch((error: Error) => error.message));
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error('failed'));
  await results[1];
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.resolve('done');
  await results[0];
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[2]?.resolve('done');
  ends[3]?.resolve('done');
  expect(await Promise.all(results)).toEqual(['done', 'failed', 'done', 'done']);
});
