import { readWebhookSearch } from './search.ts';

describe('the URL of a webhook’s page', () => {
  it('has the tab, the field to edit and the filters of the log', () => {
    expect(readWebhookSearch({ tab: 'settings', edit: 'url' })).toEqual({ tab: 'settings', edit: 'url' });
    expect(readWebhookSearch({ tab: 'deliveries', status: 'failed', cursor: '7' })).toEqual({
      tab: 'deliveries',
      status: 'failed',
      cursor: '7',
    });
  });

  it('leaves out the first tab, another webhook and what it does not know', () => {
    expect(readWebhookSearch({ tab: 'overview', webhook: 'i', edit: 'url' })).toEqual({});
    expect(readWebhookSearch({ tab: 'attic', status: 'lost' })).toEqual({});
  });
});
