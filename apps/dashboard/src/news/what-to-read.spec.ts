import { whatToRead } from './what-to-read.ts';

const delivery = {
  event: 'delivery.changed',
  data: {
    event: 'delivery.changed',
    delivery_id: 'd',
    publish_id: 'p',
    blog_id: 'b',
    integration_id: 'i',
    status: 'failed',
  },
};

describe('what is refetched', () => {
  it('is everything after a start that may have missed events, no matter what else arrived', () => {
    expect(whatToRead([delivery, { event: 'ready', data: { resumed: false } }])).toBe('everything');
  });

  it('is nothing after a connection that goes on where the last one was cut', () => {
    expect(whatToRead([{ event: 'ready', data: { resumed: true } }])).toEqual([]);
  });

  it('is the publish, the webhook, the log and the lists of a delivery, by their ids', () => {
    expect(whatToRead([delivery])).toEqual([
      [{ _id: 'listDeliveries' }],
      [{ _id: 'listPublishes' }],
      [{ _id: 'listWebhooks' }],
      [{ _id: 'getWebhook', path: { integrationId: 'i' } }],
      [{ _id: 'getDelivery', path: { deliveryId: 'd' } }],
      [{ _id: 'getPublish', path: { publishId: 'p' } }],
      [{ _id: 'listPublishesOfBlog', path: { blogId: 'b' } }],
      [{ _id: 'getBlog', path: { blogId: 'b' } }],
    ]);
  });

  it('is any publish where the delivery belongs to none: it may have put one right', () => {
    const ids = whatToRead([{ ...delivery, data: { ...delivery.data, publish_id: null } }]);
    expect(ids).toContainEqual([{ _id: 'getPublish' }]);
  });

  it('is each query once, however often it is named', () => {
    expect(whatToRead([delivery, delivery])).toEqual(whatToRead([delivery]));
  });

  it('is the integration whose health has changed', () => {
    expect(whatToRead([{ event: 'integration.changed', data: { integration_id: 'i', status: 'failing' } }])).toEqual([
      [{ _id: 'listWebhooks' }],
      [{ _id: 'getWebhook', path: { integrationId: 'i' } }],
    ]);
  });

  it('is a post that was saved elsewhere, and nothing after a save that the page already has', () => {
    const saved = { event: 'blog.changed', data: { blog_id: 'b', state: 'draft', version: 7 } };
    expect(whatToRead([saved])).toEqual([[{ _id: 'listBlogs' }], [{ _id: 'getBlog', path: { blogId: 'b' } }]]);
    expect(whatToRead([saved], (id, version) => id === 'b' && version <= 7)).toEqual([]);
  });

  it('is all of a post once it was published, no matter which version the page has', () => {
    const published = { event: 'blog.changed', data: { blog_id: 'b', state: 'published' } };
    const read = whatToRead([published], () => true);
    expect(read).toContainEqual([{ _id: 'listRevisions', path: { blogId: 'b' } }]);
    expect(read).toContainEqual([{ _id: 'listTranslations' }]);
    expect(read).toContainEqual([{ _id: 'listLinks' }]);
  });

  it('is nothing for an event that a later service may send', () => {
    expect(whatToRead([{ event: 'comet.seen', data: {} }])).toEqual([]);
  });
});
