import { createUrlGuard } from './url-guard.ts';

describe('the ranges that an operator refuses', () => {
  const policy = {
    allowHttp: true,
    allowedRanges: ['127.0.0.0/8'],
    refusedRanges: ['93.184.216.0/24', '127.0.0.9/32'],
  };
  const lookup = (name: string) =>
    Promise.resolve([{ address: name === 'own.example.com' ? '93.184.216.34' : '8.8.8.8' }]);
  const guard = createUrlGuard(policy, { lookup });
  it.each([
    ['https://93.184.216.34/', '93.184.216.34 is an address blocked by the operator of this service.'],
    ['https://127.0.0.9/', '127.0.0.9 is an address blocked by the operator of this service.'],
    [
      'https://own.example.com/',
      '"own.example.com" resolves to 93.184.216.34 blocked by the operator of this service.',
    ],
  ])('are refused though they are public or exempt: %s', async (url, detail) => {
    expect(await guard.check(url)).toEqual({ ok: false, code: 'address_refused', detail });
  });

  it.each(['https://93.184.217.1/', 'https://127.0.0.1/', 'https://another.example.com/'])(
    'leave others alone: %s',
    async (url) => {
      expect(await guard.check(url)).toMatchObject({ ok: true });
    },
  );

  it('must be CIDR blocks', () => {
    expect(() => createUrlGuard({ ...policy, refusedRanges: ['93.184.216.34'] })).toThrow(/refused ranges/);
  });
});
