import { checkHeaders, sentHeaders } from './custom-headers.ts';

describe('custom headers (contract §5.2.6, §4.7)', () => {
  it('are sent unchanged', () => {
    const headers = { 'X-Token': ' a=b; c="d" ', authorization: 'Bearer x', 'Accept-Language': 'de', Cookie: 'a=1' };
    expect(sentHeaders(headers)).toEqual(headers);
    expect(checkHeaders(headers)).toEqual([]);
  });

  it.each(['Content-Type', 'content-type', 'X-Webhook-Signature', 'X-WEBHOOK-SIGNATURE', 'x-legacy-signature'])(
    '%s is ignored with any value',
    (name) => {
      expect(sentHeaders({ [name]: 'x', 'X-Other': 'y' })).toEqual({ 'X-Other': 'y' });
      expect(checkHeaders({ [name]: 'bad\nvalue' })).toEqual([]);
    },
  );

  it.each([
    ...[
      'Host',
      'Content-Length',
      'Transfer-Encoding',
      'Connection',
      'Upgrade',
      'TE',
      'Trailer',
      'Expect',
      'Keep-Alive',
    ],
    ...['Proxy-Authorization', 'Proxy-Connection', 'proxy-anything', 'hOsT'],
  ])('%s is refused: it belongs to the connection', (name) => {
    expect(checkHeaders({ [name]: 'x' })).toEqual([
      { field: `headers.${name}`, message: expect.stringContaining('cannot be set') as string },
    ]);
  });

  it.each(['', ' ', 'a b', 'a:b', 'ä', 'a\r\nb', '(x)', 'x\0', ' Content-Type'])('the name %p is refused', (name) => {
    expect(checkHeaders({ [name]: 'x' })).toHaveLength(1);
  });

  it.each(['a\r\nX-Evil: 1', 'a\nb', 'a\0b', 'ł', '✓', '\u007f'])('the value %p is refused', (value) => {
    expect(checkHeaders({ 'X-A': value })).toEqual([
      { field: 'headers.X-A', message: expect.stringContaining('value') as string },
    ]);
  });

  it('a name given twice in different case is refused', () => {
    expect(checkHeaders({ 'X-A': '1', 'x-a': '2' })).toEqual([{ field: 'headers.x-a', message: 'is a duplicate' }]);
  });

  it('names every header that is wrong', () => {
    expect(checkHeaders({ Host: 'x', 'X-Good': 'y', 'a b': 'z' }).map(({ field }) => field)).toEqual([
      'headers.Host',
      'headers.a b',
    ]);
  });
});
