import { decide, type BlogStatus } from './decide.ts';

const before = new Date('2026-11-01T08:00:00Z');
const now = new Date('2026-11-21T09:00:00Z');

const draft: BlogStatus = { state: 'draft', eventNumber: 0, revision: 0, publicationBeganAt: null };
const published: BlogStatus = { state: 'published', eventNumber: 4, revision: 3, publicationBeganAt: before };
const unpublished: BlogStatus = { state: 'unpublished', eventNumber: 5, revision: 3, publicationBeganAt: null };
const deleted: BlogStatus = { state: 'deleted', eventNumber: 6, revision: 3, publicationBeganAt: null };

describe('the life of a blog (contract §3, “Lifecycle”)', () => {
  it('a first publish begins a publication', () => {
    expect(decide('publish', draft, now)).toEqual({
      kind: 'published',
      eventNumber: 1,
      revision: 1,
      publicationBeganAt: now,
    });
  });

  it.each(['publish', 'sync'] as const)('%s of a published blog keeps the beginning of the publication', (command) => {
    expect(decide(command, published, now)).toEqual({
      kind: 'published',
      eventNumber: 5,
      revision: 4,
      publicationBeganAt: before,
    });
  });

  it('a publish after an unpublish begins a new publication', () => {
    expect(decide('publish', unpublished, now)).toMatchObject({ revision: 4, publicationBeganAt: now });
  });

  it.each([draft, unpublished])('a sync creates no first publication ($state)', (blog) => {
    expect(decide('sync', blog, now)).toEqual({ kind: 'refused', because: 'not_published' });
  });

  it('an unpublish ends a publication', () => {
    expect(decide('unpublish', published, now)).toEqual({ kind: 'unpublished', eventNumber: 5 });
  });

  it.each([draft, unpublished])('nothing that is not published can be unpublished ($state)', (blog) => {
    expect(decide('unpublish', blog, now)).toEqual({ kind: 'refused', because: 'not_published' });
  });

  it('the deletion of a published blog is announced', () => {
    expect(decide('delete', published, now)).toEqual({ kind: 'deleted', eventNumber: 5, announced: true });
  });

  it.each([draft, unpublished])('the deletion of any other sends nothing ($state)', (blog) => {
    expect(decide('delete', blog, now)).toEqual({
      kind: 'deleted',
      eventNumber: blog.eventNumber,
      announced: false,
    });
  });

  it.each(['publish', 'sync', 'unpublish', 'delete'] as const)('nothing comes after deletion: %s', (command) => {
    expect(decide(command, deleted, now)).toEqual({ kind: 'refused', because: 'deleted' });
  });

  it('every event has the next number', () => {
    const numbers = [
      decide('publish', published, now),
      decide('unpublish', published, now),
      decide('delete', published, now),
    ];
    for (const decision of numbers) expect(decision).toMatchObject({ eventNumber: published.eventNumber + 1 });
  });
});
