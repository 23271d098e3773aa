import type { BlogState } from '@blog-content/payload-schemas';
import { decide, type BlogStatus, type Command, type Decision } from './decide.ts';

const before = new Date('2026-11-01T08:00:00Z');
const now = new Date('2026-11-21T09:00:00Z');

const BLOGS: { readonly [State in BlogState]: BlogStatus & { readonly state: State } } = {
  draft: { state: 'draft', eventNumber: 0, revision: 0, publicationBeganAt: null },
  published: { state: 'published', eventNumber: 4, revision: 3, publicationBeganAt: before },
  unpublished: { state: 'unpublished', eventNumber: 5, revision: 3, publicationBeganAt: null },
  deleted: { state: 'deleted', eventNumber: 6, revision: 3, publicationBeganAt: null },
};

const NOT_PUBLISHED: Decision = { kind: 'refused', because: 'not_published' };
const DELETED: Decision = { kind: 'refused', because: 'deleted' };

/** Each command in each state: a new one of either does not compile without its decisions. */
const LIFE: Record<Command, Record<BlogState, readonly [rule: string, Decision]>> = {
  publish: {
    draft: [
      'begins the first publication',
      { kind: 'published', eventNumber: 1, revision: 1, publicationBeganAt: now },
    ],
    published: [
      'keeps the beginning of the publication',
      { kind: 'published', eventNumber: 5, revision: 4, publicationBeganAt: before },
    ],
    unpublished: [
      'begins a new publication',
      { kind: 'published', eventNumber: 6, revision: 4, publicationBeganAt: now },
    ],
    deleted: ['is refused: nothing comes after deletion', DELETED],
  },
  sync: {
    draft: ['is refused: it creates no first publication', NOT_PUBLISHED],
    published: [
      'publishes again, and keeps the beginning of the publication',
      { kind: 'published', eventNumber: 5, revision: 4, publicationBeganAt: before },
    ],
    unpublished: ['is refused: it brings nothing back', NOT_PUBLISHED],
    deleted: ['is refused: nothing comes after deletion', DELETED],
  },
  unpublish: {
    draft: ['is refused: there is nothing to take down', NOT_PUBLISHED],
    published: ['ends the publication', { kind: 'unpublished', eventNumber: 5 }],
    unpublished: ['is refused: it is down already', NOT_PUBLISHED],
    deleted: ['is refused: nothing comes after deletion', DELETED],
  },
  delete: {
    draft: ['sends nothing', { kind: 'deleted', eventNumber: 0, announced: false }],
    published: ['is announced', { kind: 'deleted', eventNumber: 5, announced: true }],
    unpublished: ['sends nothing', { kind: 'deleted', eventNumber: 5, announced: false }],
    deleted: ['is refused: nothing comes after deletion', DELETED],
  },
};

describe('the life of a blog (contract §3, “Lifecycle”)', () => {
  const rules = Object.entries(LIFE).flatMap(([command, states]) =>
    Object.entries(states).map(
      ([state, [rule, decision]]) => [command as Command, state as BlogState, rule, decision] as const,
    ),
  );

  it.each(rules)('%s of a %s blog %s', (command, state, _rule, decision) => {
    expect(decide(command, BLOGS[state], now)).toEqual(decision);
  });

  it('a publication begins at the past time that it is given, and now for a later one', () => {
    const later = new Date('2026-12-24T00:00:00Z');
    expect(decide('publish', BLOGS.draft, now, before)).toMatchObject({ publicationBeganAt: before });
    expect(decide('publish', BLOGS.draft, now, later)).toMatchObject({ publicationBeganAt: now });
  });

  it('the time that a publication is given does not move one that is under way', () => {
    const earlier = new Date('2025-01-01T00:00:00Z');
    expect(decide('publish', BLOGS.published, now, earlier)).toMatchObject({ publicationBeganAt: before });
  });
});
