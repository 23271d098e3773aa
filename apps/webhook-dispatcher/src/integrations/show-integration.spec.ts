import { MASK } from '@blog-content/credentials';
import { checkHeaders } from './custom-headers.ts';
import { showIntegration } from './show-integration.ts';
import type { StoredIntegration } from './integration-store.ts';

const stored: StoredIntegration = {
  id: '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10',
  position: '1',
  projectId: '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f11',
  name: 'Site',
  shownUrl: `https://receiver.example:8443/${MASK}`,
  sealedUrl: 'sealed',
  sealedSecret: 'sealed',
  sealedHeaders: 'sealed',
  active: true,
  healLinks: false,
  retryManual: false,
  standardWebhooks: false,
  integrationKind: 'webhook',
  settings: {},
  createdAt: new Date('2026-03-02T10:00:00Z'),
  failedInRow: 6,
  failingSince: new Date('2026-03-05T10:00:00Z'),
  failingReason: 'The receiver answered 500.',
};
const url = 'https://receiver.example:8443/hooks/T0/B0?token=x';
const headers = { Authorization: 'Bearer of-the-owner' };

describe('an integration', () => {
  it('is shown to owners whole, but for its secret', () => {
    expect(showIntegration(stored, { url, headers }, 'owner')).toEqual({
      id: stored.id,
      project_id: stored.projectId,
      kind: 'webhook',
      name: 'Site',
      url,
      has_secret: true,
      headers,
      active: true,
      heal_links: false,
      retry_manual: false,
      standard_webhooks: false,
      settings: {},
      created_at: '2026-03-02T10:00:00.000Z',
      failed_deliveries: 6,
      failing_since: '2026-03-05T10:00:00.000Z',
      failing_reason: 'The receiver answered 500.',
    });
  });

  it('is shown to editors without what may be a credential', () => {
    expect(showIntegration(stored, { url, headers }, 'editor')).toEqual({
      ...showIntegration(stored, { url, headers }, 'owner'),
      url: `https://receiver.example:8443/${MASK}`,
      headers: { Authorization: MASK },
    });
  });

  it.each([
    ['https://receiver.example', 'https://receiver.example/'],
    ['https://receiver.example/', 'https://receiver.example/'],
    ['https://receiver.example/hook', `https://receiver.example/${MASK}`],
    ['https://receiver.example/?token=x', `https://receiver.example/${MASK}`],
    ['https://receiver.example/#x', `https://receiver.example/${MASK}`],
  ])('%s is %s to editors', (url, shown) => {
    expect(showIntegration(stored, { url, headers }, 'editor').url).toBe(shown);
  });

  it('has a mask that no header can carry', () => {
    expect(checkHeaders({ Authorization: MASK })).toMatchObject([{ field: 'headers.Authorization' }]);
  });
});
