import { type PublishChanges, testBlog } from '../../test/events.ts';
import { linksOfEvent, MAX_WATCHED_LINKS, slugsOfEvent } from './links-of-event.ts';

const blog = testBlog('7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f11');
const published = (content: string, changes: PublishChanges = {}) =>
  linksOfEvent(blog.published({ ...changes, revision: { slug: 'own', content } }).data).links;
const linksOf = (content: string) => published(content).map(({ slug }) => slug);

describe('what an event says of links', () => {
  it('is each slug that a placeholder names, once, in any spelling', () => {
    expect(linksOf('<a href="%5BINTERNAL:one%5D#x">1</a> [internal: Two ] [INTERNAL:one]')).toEqual(['one', 'two']);
  });

  it('is nothing of what names no slug, and not the post’s own', () => {
    expect(linksOf('[INTERNAL:own] [INTERNAL:no slug at all] [INTERNAL:] [INTERNAL:open')).toEqual([]);
  });

  it('is the blog that a placeholder is bound to, unless that is the post itself', () => {
    const other = '0f5c1c1e-54d5-4a0e-9a39-0d5a4f6f2f12';
    const link_bindings = [
      { slug: 'bound', blog_id: other },
      { slug: 'itself', blog_id: blog.id },
      { slug: 'own', blog_id: other },
    ];
    expect(published('[INTERNAL:bound] [INTERNAL:itself] [INTERNAL:own] [INTERNAL:free]', { link_bindings })).toEqual([
      { slug: 'bound', targetId: other },
      { slug: 'own', targetId: other },
      { slug: 'free', targetId: null },
    ]);
  });

  it('is what the data refers to, under the slug that it is bound to', () => {
    const other = '0f5c1c1e-54d5-4a0e-9a39-0d5a4f6f2f12';
    const { data } = blog.published({
      link_bindings: [
        { slug: 'next', blog_id: other },
        { slug: 'gone', blog_id: '0f5c1c1e-54d5-4a0e-9a39-0d5a4f6f2f13' },
      ],
      revision: { slug: 'own', content: '', data: { next: { post_id: other }, itself: { post_id: blog.id } } },
    });
    expect(linksOfEvent(data).links).toEqual([{ slug: 'next', targetId: other }]);
  });

  it('is the first thousand of more', () => {
    const content = Array.from({ length: MAX_WATCHED_LINKS + 1 }, (_, at) => `[INTERNAL:a${at}]`).join(' ');
    expect(linksOf(content)).toHaveLength(MAX_WATCHED_LINKS);
    expect(linksOf(content)).not.toContain(`a${MAX_WATCHED_LINKS}`);
  });

  it('is where the post is while it is published, with a title that the database can keep', () => {
    const event = blog.published({
      revision: { title: 'Tea\0 [INTERNAL:x]\uD800', language: 'de', translation_key: 'tea\0' },
      published_at: '2026-11-25T10:00:00Z',
    });
    expect(linksOfEvent(event.data).target).toEqual({
      slug: 'tea-and-coffee',
      title: 'Tea \uFFFD',
      publishedAt: new Date('2026-11-25T10:00:00Z'),
      language: 'de',
      translationKey: 'tea',
    });
    expect(linksOfEvent(blog.unpublished().data)).toEqual({ changesVisibility: true, target: null, links: [] });
  });
});

describe('what an event says of a blog’s names', () => {
  it.each([
    ['a publish: its slug and all its aliases', blog.published({ aliases: ['old'] }).data, 'tea-and-coffee', ['old']],
    ['a publish of before there were aliases: none', blog.published().data, 'tea-and-coffee', []],
    ['changed slugs: both', blog.slugsChanged('new', ['old']).data, 'new', ['old']],
    ['an unpublish: nothing', blog.unpublished().data, null, null],
    ['a deletion: no aliases any more', blog.deleted().data, null, []],
  ])('is, of %s', (_name, event, knownSlug, aliases) => {
    expect(slugsOfEvent(event)).toEqual({ knownSlug, aliases });
  });
});
