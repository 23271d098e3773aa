import { extras } from './extras/extra-fields.ts';
import { readReceiverAnswer, webhookBody } from './webhook-bodies.ts';

const fullBody = {
  event: 'blog.published',
  blog_id: '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10',
  title: 'Tea & <coffee>',
  slug: 'tea-coffee',
  content: '<p>Hot.</p>',
  excerpt: '',
  excerpt_short: '',
  meta_title: null,
  meta_description: null,
  featured_image_url: null,
  categories: [],
  tags: [],
  keyword: null,
  ...extras.for('webhooks', {}),
  published_at: '2026-11-21T09:00:00.000Z',
  images: [],
};

describe('webhook bodies (contract §2.5, §6)', () => {
  it('accepts a full body with nulls and empty arrays', () => {
    expect(webhookBody.parse(fullBody)).toEqual(fullBody);
  });

  it('gives blog.updated the same shape', () => {
    expect(webhookBody.safeParse({ ...fullBody, event: 'blog.updated' }).success).toBe(true);
  });

  it('accepts a sample payload’s preview id', () => {
    const blog_id = `preview-${fullBody.blog_id}`;
    expect(webhookBody.safeParse({ ...fullBody, blog_id }).success).toBe(true);
    expect(webhookBody.safeParse({ ...fullBody, blog_id: `sample-${fullBody.blog_id}` }).success).toBe(false);
  });

  it('accepts idempotency_key and publish_attempt, which autopilot publishes carry', () => {
    const autopilot = { ...fullBody, idempotency_key: 'a:b', publish_attempt: 1 };
    expect(webhookBody.parse(autopilot)).toEqual(autopilot);
    expect(webhookBody.safeParse({ ...autopilot, publish_attempt: 0 }).success).toBe(false);
  });

  it.each(Object.keys(fullBody))('refuses a full body without %s', (field) => {
    const { [field as keyof typeof fullBody]: _left, ...rest } = fullBody;
    expect(webhookBody.safeParse(rest).success).toBe(false);
  });

  it('takes timestamps in UTC with Z only (contract §2)', () => {
    expect(webhookBody.safeParse({ ...fullBody, published_at: '2026-11-21T10:00:00+01:00' }).success).toBe(false);
  });

  it.each(['blog.unpublished', 'blog.deleted'])('%s is compact: event, blog_id, title', (event) => {
    const body = { event, blog_id: fullBody.blog_id, title: 'Tea' };
    expect(webhookBody.parse(body)).toEqual(body);
  });

  it('test.ping has a message and a timestamp and no blog fields', () => {
    const body = { event: 'test.ping', message: 'Hello', timestamp: '2026-11-21T09:00:00Z' };
    expect(webhookBody.parse(body)).toEqual(body);
  });

  it('knows no other event', () => {
    expect(webhookBody.safeParse({ ...fullBody, event: 'blog.hidden' }).success).toBe(false);
  });
});

describe('a receiver’s answer (contract §4.4)', () => {
  it.each(['url', 'post_url', 'permalink'])('takes the live URL from %s', (field) => {
    expect(readReceiverAnswer({ [field]: 'https://site.example/a' }).url).toBe('https://site.example/a');
  });

  it.each(['id', 'post_id', 'external_id'])('takes the external id from %s', (field) => {
    expect(readReceiverAnswer({ [field]: 'p-1' }).external_id).toBe('p-1');
  });

  it('writes a number as its decimal string', () => {
    expect(readReceiverAnswer({ id: 42 }).external_id).toBe('42');
  });

  it('falls through to an alias when the first field is unusable', () => {
    expect(readReceiverAnswer({ url: '', post_url: 'https://site.example/b' }).url).toBe('https://site.example/b');
  });

  it.each([
    '/relative',
    'javascript:alert(1)',
    'ftp://site.example/',
    `https://site.example/${'x'.repeat(2048)}`,
    7,
    null,
  ])('stores no live URL for %p', (url) => {
    expect(readReceiverAnswer({ url }).url).toBeNull();
  });

  it.each([
    ['HTTPS://Site.Example/a b/ü', 'https://site.example/a%20b/%C3%BC'],
    ['https://ada:secret@site.example/a', 'https://site.example/a'],
    ['https://site.example', 'https://site.example/'],
  ])('stores a live URL as it is normalised, without user info: %s', (url, stored) => {
    expect(readReceiverAnswer({ url }).url).toBe(stored);
  });

  it('keeps a live URL of 2,048 characters and an id of 255', () => {
    const url = `https://site.example/${'x'.repeat(2048 - 'https://site.example/'.length)}`;
    expect(readReceiverAnswer({ url, id: 'i'.repeat(255) })).toEqual({ url, external_id: 'i'.repeat(255) });
    expect(readReceiverAnswer({ id: 'i'.repeat(256) }).external_id).toBeNull();
  });

  it.each([null, undefined, 'text', 3, []])('reads nothing from %p', (json) => {
    expect(readReceiverAnswer(json)).toEqual({ url: null, external_id: null });
  });
});
