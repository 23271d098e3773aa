import { changedFields } from './changed-fields.ts';

const saved = {
  name: 'Shop',
  url: 'https://shop.example/',
  headers: { 'X-A': '1' },
  heal_links: false,
  retry_manual: false,
  links: 'site' as const,
  fields: ['noindex'],
  standard_webhooks: false,
  settings: { username: 'ada' },
};

describe('the settings of a webhook', () => {
  it('are sent only where they were changed', () => {
    expect(changedFields(saved, { ...saved, headers: { 'X-A': '1' } })).toEqual({});
    expect(changedFields(saved, { ...saved, name: 'Store' })).toEqual({ name: 'Store' });
    expect(changedFields(saved, { ...saved, heal_links: true })).toEqual({ heal_links: true });
    expect(changedFields(saved, { ...saved, retry_manual: true })).toEqual({ retry_manual: true });
    expect(changedFields(saved, { ...saved, links: 'live' })).toEqual({ links: 'live' });
    expect(changedFields(saved, { ...saved, fields: ['noindex'] })).toEqual({});
    expect(changedFields(saved, { ...saved, fields: [] })).toEqual({ fields: [] });
    expect(changedFields(saved, { ...saved, standard_webhooks: true })).toEqual({ standard_webhooks: true });
    expect(changedFields(saved, { ...saved, settings: { username: 'eve' } })).toEqual({
      settings: { username: 'eve' },
    });
  });

  it('are sent with all headers once one of them was changed, added or removed', () => {
    const others: Record<string, string>[] = [{ 'X-A': '2' }, { 'X-A': '1', 'X-B': '1' }, {}];
    for (const headers of others) {
      expect(changedFields(saved, { ...saved, headers })).toEqual({ headers });
    }
  });
});
