import { isSamePerson } from './post-author.ts';

describe('a user of a destination', () => {
  const ada = { name: 'Ada', slugs: ['ada', 'countess'], email: 'ada@example.com' };

  it.each([
    [{ slug: 'x', email: 'ADA@example.com' }, true],
    [{ slug: 'ada', email: 'other@example.com' }, false],
    [{ slug: 'ada' }, true],
    [{ slug: 'countess', email: null }, true],
    [{ slug: 'Ada' }, false],
  ])('is the author by the address, else by the slug: %j', (user, expected) => {
    expect(isSamePerson(ada, user)).toBe(expected);
  });

  it('is an author without an address by the slug', () => {
    expect(isSamePerson({ ...ada, email: null }, { slug: 'ada', email: 'any@example.com' })).toBe(true);
  });
});
