import type { BlogState } from '@blog-content/payload-schemas';
import { decide, type BlogStatus, type Command, type Decision } from './lifecycle.ts';

const before = new Date('2026-11-01T08:00:00Z');
const now = new Date('2026-11-21T09:00:00Z');

const UNDATED = { publicationDate: null, publicDate: null };

const BLOGS: { readonly [State in BlogState]: BlogStatus & { readonly state: State } } = {
  draft: { state: 'draft', eventNumber: 0, revision: 0, publicationBeganAt: null, ...UNDATED },
  published: { state: 'published', eventNumber: 4, revision: 3, publicationBeganAt: before, ...UNDATED },
  unpublished: { state: 'unpublished', eventNumber: 5, revision: 3, publicationBeganAt: null, ...UNDATED },
  deleted: { state: 'deleted', eventNumber: 6, revision: 3, publicationBeganAt: null, ...UNDATED },
};

const NOT_PUBLISHED: Decision = { kind: 'refused', because: 'not_published' };
const DELETED: Decision = { kind: 'refused', because: 'deleted' };

/** Each command in each state: a new one of either does not compile without its decisions. */
const LIFE: Record<Command, Record<BlogState, readonly [rule: string, Decision]>> = {
  publish: {
    draft: [
      'begins the first publication',
      { kind: 'published', eventNumber: 1, revision: 1, publicationBeganAt: now, publicDate: now },
    ],
    published: [
      'keeps the beginning of the publication',
      { kind: 'published', eventNumber: 5, revision: 4, publicationBeganAt: before, publicDate: before },
    ],
    unpublished: [
      'begins a new publication',
      { kind: 'published', eventNumber: 6, revision: 4, publicationBeganAt: now, publicDate: now },
    ],
    deleted: ['is refused: nothing comes after deletion', DELETED],
  },
  sync: {
    draft: ['is refused: it creates no first publication', NOT_PUBLISHED],
    published: [
      'publishes again, and keeps the beginning of the publication',
      { kind: 'published', eventNumber: 5, revision: 4, publicationBeganAt: before, publicDate: before },
    ],
    unpublished: ['is refused: it brings nothing back', NOT_PUBLISHED],
    deleted: ['is refused: nothing comes after deletion', DELETED],
  },
  unpublish: {
    draft: ['is refused: there is nothing to take down', NOT_PUBLISHED],
    published: [
      'ends the publication',
      { kind: 'unpublished', eventNumber: 5, publicDate: before, publicationDate: null },
    ],
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

describe('the life of a blog (contract §3, §3.1)', () => {
  const rules = Object.entries(LIFE).flatMap(([command, states]) =>
    Object.entries(states).map(
      ([state, [rule, decision]]) => [command as Command, state as BlogState, rule, decision] as const,
    ),
  );

  it.each(rules)('%s of a %s blog %s', (command, state, _rule, decision) => {
    expect(decide(command, BLOGS[state], now)).toEqual(decision);
  });

  const past = new Date('2025-08-08T00:00:00Z');
  const ahead = new Date('2026-12-24T00:00:00Z');

  it('shows readers the publication date that is set, and the beginning of the publication without one', () => {
    expect(decide('publish', { ...BLOGS.draft, publicationDate: past }, now)).toMatchObject({
      publicationBeganAt: now,
      publicDate: past,
    });
    expect(decide('sync', { ...BLOGS.published, publicationDate: past }, now)).toMatchObject({
      publicationBeganAt: before,
      publicDate: past,
    });
    expect(decide('sync', { ...BLOGS.published, publicDate: past }, now)).toMatchObject({ publicDate: before });
  });

  it('schedules a publish that is dated in the future, and refuses it for a published post', () => {
    for (const blog of [BLOGS.draft, BLOGS.unpublished]) {
      const dated = { ...blog, publicationDate: ahead };
      expect(decide('publish', dated, now)).toEqual({ kind: 'scheduled', publishAt: ahead });
      expect(decide('sync', dated, now)).toEqual(NOT_PUBLISHED);
    }
    for (const command of ['publish', 'sync'] as const) {
      expect(decide(command, { ...BLOGS.published, publicationDate: ahead }, now)).toEqual({
        kind: 'refused',
        because: 'dated_ahead',
      });
    }
  });

  it('remembers at an unpublish the date that readers saw, and keeps one that they have not seen', () => {
    const seen = { ...BLOGS.published, publicationDate: past, publicDate: past };
    expect(decide('unpublish', seen, now)).toMatchObject({ publicDate: past, publicationDate: null });
    expect(decide('unpublish', { ...seen, publicationDate: ahead }, now)).toMatchObject({
      publicDate: past,
      publicationDate: ahead,
    });
  });
});
