import fc from 'fast-check';
import { type BlogBody, eventsThat, extras, type VisibilityEvent, webhookBody } from '@blog-content/payload-schemas';
import { type PublishChanges, testBlog } from '../../test/events.ts';
import { type BlogEventName, buildPayload, chooseEvent, encodePayload, type PayloadContext } from './build-payload.ts';

const PROJECT = '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11';
const first = { receiverHasBlog: false, receiverSlug: null, attempt: 1, retries: false };
const retried = { ...first, retries: true };
const bodyOf = (changes: PublishChanges = {}, context = first) =>
  buildPayload(testBlog(PROJECT).published(changes).data, context) as Record<string, unknown>;
const revisionField = (revision: PublishChanges['revision'] & object, field: string) => bodyOf({ revision })[field];

describe('which event (contract §3.1, §6)', () => {
  it.each<['blog.published' | 'blog.unpublished' | 'blog.deleted', boolean, BlogEventName]>([
    ['blog.published', false, 'blog.published'],
    ['blog.published', true, 'blog.updated'],
    ['blog.unpublished', true, 'blog.unpublished'],
    ['blog.unpublished', false, 'blog.unpublished'],
    ['blog.deleted', true, 'blog.deleted'],
    ['blog.deleted', false, 'blog.deleted'],
  ])('%s to a receiver that has the blog: %s is %s', (lifecycle, has, expected) => {
    expect(chooseEvent(lifecycle, has)).toBe(expected);
  });
});

describe('the body of an event', () => {
  const { data } = testBlog(PROJECT).published();
  const events = [...eventsThat('shows'), ...eventsThat('hides')];

  it.each(events)('is named as the delivery’s log has it: %s', (event) => {
    for (const receiverHasBlog of [false, true]) {
      const body = buildPayload({ ...data, event, title: 'Tea' } as VisibilityEvent, {
        ...first,
        receiverHasBlog,
      });
      expect(body.event).toBe(chooseEvent(event, receiverHasBlog));
    }
  });
});

describe('the full body (contract §2.5)', () => {
  it('has exactly the fields of the table, in its order, for a manual publish', () => {
    expect(Object.keys(bodyOf())).toEqual([
      ...['event', 'blog_id', 'title', 'slug', 'content', 'excerpt', 'excerpt_short', 'meta_title', 'meta_description'],
      ...['featured_image_url', 'categories', 'tags', 'keyword'],
      ...Object.keys(extras.shapeFor('webhooks')),
      ...['published_at', 'images'],
    ]);
  });

  it.each(['manual', 'autopilot'] as const)(
    'has idempotency_key and publish_attempt if it is retried, %s',
    (trigger) => {
      const { data } = testBlog(PROJECT).published({ trigger });
      const bodies = [1, 2, 5].map((attempt) => buildPayload(data, { ...retried, attempt }));
      const key = `${data.blog_id}:${data.publish_id}`;
      expect(bodies).toMatchObject([1, 2, 5].map((publish_attempt) => ({ idempotency_key: key, publish_attempt })));
    },
  );

  it('has the fields that a webhook asks for after the keyword, in their order, and no others', () => {
    const { data } = testBlog(PROJECT).published({ revision: extras.examples });
    const usual = Object.keys(buildPayload(data, first));
    for (const name of extras.namesOnRequest('webhooks')) expect(usual).not.toContain(name);
    const body = buildPayload(data, { ...first, fields: ['noindex', 'unknown', 'canonical_url'] });
    const { canonical_url, noindex } = extras.examples;
    expect(body).toMatchObject({ canonical_url, noindex });
    expect(webhookBody.parse(body)).toEqual(body);
    const place = usual.indexOf('published_at');
    expect(Object.keys(body)).toEqual(usual.toSpliced(place, 0, 'canonical_url', 'noindex'));
  });

  it('differs between the attempts of a publish in publish_attempt only', () => {
    const { data } = testBlog(PROJECT).published({ trigger: 'autopilot' });
    const second = buildPayload(data, { ...retried, attempt: 2 });
    expect({ ...second, publish_attempt: 1 }).toEqual(buildPayload(data, retried));
  });

  it('is the same for a manual publish that is retried, byte for byte, before the two fields', () => {
    const { data } = testBlog(PROJECT).published();
    const { idempotency_key: _key, publish_attempt: _attempt, ...rest } = buildPayload(data, retried) as BlogBody;
    expect(JSON.stringify(rest)).toBe(JSON.stringify(buildPayload(data, first)));
  });

  it('has no placeholder in plain text, also for events from before they were removed at save', () => {
    const text = 'a [INTERNAL:x] %5binternal:y%5d &#91;INTERNAL: z &#93; b';
    const fields = { title: text, excerpt: text, meta_title: text, meta_description: text, keyword: text };
    const body = bodyOf({ revision: { ...fields, categories: [text, '[INTERNAL:x]'], tags: [text] } });
    for (const field of [...Object.keys(fields), 'excerpt_short']) expect([field, body[field]]).toEqual([field, 'a b']);
    expect([body['categories'], body['tags']]).toEqual([['a b'], ['a b']]);
    const gone = { ...testBlog(PROJECT).published().data, event: 'blog.deleted', title: text } as never;
    expect(buildPayload(gone, first)).toMatchObject({ event: 'blog.deleted', title: 'a b' });
  });

  it.each(['https://cdn.example/[INTERNAL:x].png', 'https://cdn.example/%5BINTERNAL:x%5D.png'])(
    'has no hero image %s, for events from before such URLs were refused',
    (featured_image_url) => {
      expect(bodyOf({ revision: { featured_image_url } })).toMatchObject({ featured_image_url: null, images: [] });
    },
  );

  it('is blog.updated with the same shape when the receiver has the blog', () => {
    const { data } = testBlog(PROJECT).published();
    expect(buildPayload(data, { ...first, receiverHasBlog: true })).toEqual({
      ...buildPayload(data, first),
      event: 'blog.updated',
    });
  });

  it('does not escape the title', () => {
    expect(revisionField({ title: 'Tea & <coffee> "hot"' }, 'title')).toBe('Tea & <coffee> "hot"');
  });

  it.each(['meta_title', 'meta_description', 'featured_image_url', 'keyword'])('keeps null in %s', (field) => {
    expect(revisionField({ [field]: null }, field)).toBeNull();
  });

  it.each([
    ['slug', 'tea-2'],
    ['meta_title', 'Tea'],
    ['meta_description', 'All of it'],
    ['featured_image_url', 'https://cdn.example/hero.jpg'],
    ['keyword', 'tea'],
    ['excerpt', ''],
    ['categories', ['A', 'B']],
    ['categories', []],
    ['tags', ['x']],
    ['tags', []],
  ])('carries %s as it is', (field, value) => {
    expect(revisionField({ [field]: value }, field)).toEqual(value);
  });

  it('trims the excerpt to excerpt_short at a word boundary', () => {
    const excerpt = 'word '.repeat(60).trim();
    const short = revisionField({ excerpt }, 'excerpt_short') as string;
    expect(short.length).toBeLessThanOrEqual(256);
    expect(short).toMatch(/^(word )+word…$/);
    expect(revisionField({ excerpt: '' }, 'excerpt_short')).toBe('');
  });

  it('says when this publish was finalized, not when the publication began', () => {
    const times = { published_at: '2026-11-21T10:00:00.000Z', publication_began_at: '2026-01-01T00:00:00.000Z' };
    expect(bodyOf(times)['published_at']).toBe(times.published_at);
  });

  it('resolves links with what was published at the moment of the publish (contract §2.4.3)', () => {
    const content =
      '<p><a href="[INTERNAL:mint]">Mint</a> <a href="[INTERNAL:sage]"><b>Sage</b></a> [INTERNAL:mint]</p>';
    const published_link_targets = [{ slug: 'mint', title: 'Mint & more' }];
    expect(bodyOf({ revision: { content }, published_link_targets })['content']).toBe(
      '<p><a href="https://site.example/blog/mint/">Mint</a> <b>Sage</b> <a href="https://site.example/blog/mint/">Mint &amp; more</a></p>',
    );
  });

  it('links root-relatively when the project has no site', () => {
    const content = '<a href="[INTERNAL:mint]">Mint</a>';
    const published_link_targets = [{ slug: 'mint', title: 'Mint' }];
    expect(bodyOf({ site_url: null, revision: { content }, published_link_targets })['content']).toBe(
      '<a href="/blog/mint/">Mint</a>',
    );
  });

  it('never links a post to itself', () => {
    const published_link_targets = [{ slug: 'tea', title: 'Tea' }];
    const revision = { slug: 'tea', content: '<a href="[INTERNAL:tea]">Tea</a>' };
    expect(bodyOf({ revision, published_link_targets })['content']).toBe('Tea');
  });

  it('lists each image with its url in content, so that receivers can re-host it (contract §6.6)', () => {
    const content =
      '<p><img src="https://cdn.example/a.png?x=1&amp;y=2" alt="A &amp; B"></p><img src="https://cdn.example/a.png?x=1&amp;y=2">';
    const body = bodyOf({ revision: { content } });
    expect(body['images']).toEqual([{ url: 'https://cdn.example/a.png?x=1&amp;y=2', alt: 'A & B' }]);
    expect(body['content']).toContain('src="https://cdn.example/a.png?x=1&amp;y=2"');
  });
});

describe('previous_slug (contract §2.5)', () => {
  const { data } = testBlog(PROJECT).published({ revision: { slug: 'new-name' } });
  const keysOf = (context: PayloadContext) => Object.keys(buildPayload(data, context));

  it('names the slug that the receiver has the post under, next to the new one, and changes nothing else', () => {
    const context = { ...first, receiverHasBlog: true, receiverSlug: 'new-name' };
    const renamed = buildPayload(data, { ...context, receiverSlug: 'old-name' });
    expect(renamed).toMatchObject({ event: 'blog.updated', slug: 'new-name', previous_slug: 'old-name' });
    const { previous_slug: _previous, ...rest } = renamed as Record<string, unknown>;
    expect(JSON.stringify(rest)).toBe(JSON.stringify(buildPayload(data, context)));
  });

  it.each([
    ['has the post under this slug', { receiverHasBlog: true, receiverSlug: 'new-name' }],
    ['has the post under a slug that is not known', { receiverHasBlog: true, receiverSlug: null }],
    ['does not have the post any more', { receiverHasBlog: false, receiverSlug: 'old-name' }],
    ['never had the post', { receiverHasBlog: false, receiverSlug: null }],
  ])('is absent when the receiver %s', (_when, context) => {
    expect(keysOf({ ...first, ...context })).not.toContain('previous_slug');
  });
});

describe('the compact bodies (contract §2.5)', () => {
  it.each(['manual', 'autopilot'] as const)('have event, blog_id and title only, by %s too', (trigger) => {
    const blog = testBlog(PROJECT);
    for (const event of [blog.unpublished(trigger), blog.deleted(trigger)]) {
      expect(buildPayload(event.data, { ...retried, receiverHasBlog: true, attempt: 3 })).toEqual({
        event: event.data.event,
        blog_id: blog.id,
        title: 'Tea & <coffee>',
      });
    }
  });
});

it('every body matches the contract and survives the trip as bytes', () => {
  fc.assert(
    fc.property(
      fc.record({
        title: fc.string({ unit: 'binary' }),
        content: fc.string({ unit: 'binary' }),
        excerpt: fc.string({ unit: 'binary' }),
      }),
      fc.constantFrom('manual' as const, 'autopilot' as const),
      fc.boolean(),
      fc.boolean(),
      (revision, trigger, receiverHasBlog, retries) => {
        const { data } = testBlog(PROJECT).published({ revision, trigger });
        const body = buildPayload(data, { ...first, receiverHasBlog, retries });
        expect(webhookBody.parse(JSON.parse(Buffer.from(encodePayload(body)).toString('utf8')))).toEqual(body);
      },
    ),
  );
});

it('links add 262,144 characters to a body at most, however many an author writes: those beyond are as if not published', () => {
  const title = 'T'.repeat(200);
  const content = `<p>${'[INTERNAL:mint] '.repeat(30_000)}</p><p><a href="[INTERNAL:mint]">The end</a></p>`;
  const targets = [{ slug: 'mint', title }];
  const body = bodyOf({ revision: { content }, published_link_targets: targets });
  const written = String(body['content']);
  expect(written).toContain(`<a href="https://site.example/blog/mint/">${title}</a>`);
  expect(written).toMatch(/<p>The end<\/p>$/);
  expect(written.length).toBeLessThan(content.length + 262_144);
});
