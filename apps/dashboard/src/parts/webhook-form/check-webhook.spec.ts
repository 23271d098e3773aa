import { webhookForm } from '../../strings/sites/webhook-form.ts';
import { adviseHeaders, checkHeaders, checkSecret, checkUrl, fromRows, toRows } from './check-webhook.ts';

const { checks } = webhookForm;

describe('the URL of a webhook, during typing', () => {
  it.each(['', 'https://shop.example/hooks/blog', ' https://shop.example:8443/?a=b ', 'http://127.0.0.1:3000/hook'])(
    '%p is fine',
    (typed) => {
      expect(checkUrl(typed)).toBeNull();
    },
  );

  it.each<[string, string]>([
    ['shop.example/hooks', checks.noUrl],
    ['ftp://shop.example', checks.noUrl],
    ['https://ada:secret@shop.example/', checks.credentials],
  ])('%s is not: %s', (typed, problem) => {
    expect(checkUrl(typed)).toBe(problem);
  });
});

describe('a signing secret', () => {
  it('has at least 16 characters, or is none (contract §5.2.1)', () => {
    expect([checkSecret(''), checkSecret('0123456789abcdef')]).toEqual([null, null]);
    expect(checkSecret('0123456789abc')).toBe(checks.shortSecret(3));
  });
});

describe('headers of the owner’s own', () => {
  it('are refused where they belong to the connection, or have no valid name', () => {
    const rows = ['X-Team', 'Host', 'proxy-auth', 'x team', 'X-TEAM', ''].map((name) => ({ name, value: 'v' }));
    expect(checkHeaders(rows)).toEqual([
      null,
      checks.headerRefused,
      checks.headerRefused,
      checks.headerName,
      checks.headerTwice,
      null,
    ]);
  });

  it('are said to be ignored where the service sets them (contract §5.2.6)', () => {
    expect(checkHeaders([{ name: 'x-webhook-signature', value: 'x' }])).toEqual([checks.headerIgnored]);
    expect(checkHeaders([{ name: 'Content-Type', value: 'text/plain' }], 'hook')).toEqual([null]);
  });

  it('are advised against beyond 20', () => {
    const rows = Array.from({ length: 21 }, (_, index) => ({ name: `X-${index}`, value: '' }));
    expect([adviseHeaders(rows), adviseHeaders(rows.slice(1))]).toEqual([checks.manyHeaders, null]);
  });

  it('are saved without the rows that have no name', () => {
    expect(fromRows([...toRows({ 'X-A': '1' }), { name: '', value: 'lost' }])).toEqual({ 'X-A': '1' });
  });
});
