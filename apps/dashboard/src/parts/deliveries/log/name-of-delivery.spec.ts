import { webhookLog } from '../../../strings/sites/webhook-log.ts';
import { nameOfDelivery } from './name-of-delivery.ts';

const titles = new Map([['b', 'Soup']]);

describe('the name of a delivery', () => {
  it('is the title of its post, where that is known', () => {
    expect(nameOfDelivery({ kind: 'lifecycle', blog_id: 'b', event: 'blog.updated' }, titles)).toBe('Soup');
    expect(nameOfDelivery({ kind: 'redelivery', blog_id: 'c', event: 'blog.deleted' }, titles)).toBe(
      webhookLog.deletedPost,
    );
  });

  it('marks a test', () => {
    const test = { blog_id: null, event: 'test.ping' };
    expect(nameOfDelivery({ kind: 'test', ...test }, titles)).toBe('Connection test');
    expect(nameOfDelivery({ kind: 'sample', blog_id: null, event: 'blog.published' }, titles)).toBe('Sample payload');
  });
});
