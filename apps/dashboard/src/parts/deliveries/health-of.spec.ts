import { webhook } from '../../strings/sites/webhook.ts';
import { healthOf } from './health-of.ts';

describe('the health of a webhook', () => {
  it('is failing once its newest delivery has failed, before the service says that all fail', () => {
    expect(healthOf({ failed_deliveries: 51, failing_since: null })).toEqual({
      kind: 'failing',
      failed: 51,
      since: null,
    });
  });

  it('is failing since then once the service says so', () => {
    const since = '2026-11-27T09:00:00.000Z';
    expect(healthOf({ failed_deliveries: 6, failing_since: since })).toMatchObject({ kind: 'failing', since });
  });

  it('is also good if nothing was ever sent, without claiming a success', () => {
    expect(healthOf({ failed_deliveries: 0, failing_since: null })).toEqual({ kind: 'fine' });
    expect(webhook.health.fine).not.toMatch(/success|last|newest/i);
  });
});
