import { readFileSync } from 'node:fs';
import { webhookLog } from '../../../strings/sites/webhook-log.ts';
import { webhook } from '../../../strings/sites/webhook.ts';
import { webhooks } from '../../../strings/sites/webhooks.ts';
import { deliveriesQuery, EVENTS, readDeliveriesSearch } from './search.ts';

const openapi = new URL('../../../../../../docs/openapi.json', import.meta.url);
const { webhooks: contract } = JSON.parse(readFileSync(openapi, 'utf8')) as { webhooks: Record<string, unknown> };

describe('the URL of the delivery log', () => {
  it('keeps every filter and leaves out what it does not know', () => {
    const known = {
      webhook: 'i',
      post: 'b',
      status: 'failed',
      kind: 'sample',
      event: 'test.ping',
      since: '2026-11-23T00:00:00.000Z',
      cursor: '7',
    };
    expect(readDeliveriesSearch({ ...known, page: 2 })).toEqual(known);
    expect(readDeliveriesSearch({ status: 'lost', kind: 1, since: 'yesterday' })).toEqual({});
  });

  it('can ask for every event of the contract, and has words for it', () => {
    expect([...EVENTS].sort()).toEqual(Object.keys(contract).sort());
    expect(Object.keys(webhookLog.events).sort()).toEqual(Object.keys(contract).sort());
  });

  it('uses the names of the API', () => {
    expect(deliveriesQuery({ webhook: 'i', post: 'b', status: 'failed' }, 25)).toEqual({
      limit: 25,
      integration_id: 'i',
      blog_id: 'b',
      status: 'failed',
    });
  });
});

describe('the texts about webhooks', () => {
  const happens = Object.keys(contract).flatMap((event) => event.match(/^blog\.(.+)$/)?.slice(1) ?? []);

  it.each(happens)('say that a post is %s', (word) => {
    expect(webhooks.intro).toContain(word);
    expect(webhook.pause.text).toContain(word);
  });
});
