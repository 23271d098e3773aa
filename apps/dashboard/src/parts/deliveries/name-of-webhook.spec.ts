import { nameOfWebhook } from './name-of-webhook.ts';

describe('the name of a webhook', () => {
  it('is its name, or the visible part of its URL', () => {
    const url = 'https://site.example:8443/••••';
    expect(nameOfWebhook({ name: 'Website', url })).toBe('Website');
    expect(nameOfWebhook({ name: '', url })).toBe('site.example:8443/••••');
    expect(nameOfWebhook({ name: '', url: 'https://site.example/' })).toBe('site.example');
  });
});
