import { nameOfWebhook } from './name-of-webhook.ts';

describe('what a webhook is called', () => {
  it('is its name, or as much of its address as is shown', () => {
    const url = 'https://site.example:8443/••••';
    expect(nameOfWebhook({ name: 'Website', url })).toBe('Website');
    expect(nameOfWebhook({ name: '', url })).toBe('site.example:8443/••••');
    expect(nameOfWebhook({ name: '', url: 'https://site.example/' })).toBe('site.example');
  });
});
