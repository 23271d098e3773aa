import { AddressRefusedError, isAddressRefused } from './address-refused-error.ts';

describe('isAddressRefused', () => {
  const refused = new AddressRefusedError('refused', 'example.com', '10.0.0.1');

  it.each([
    refused,
    new Error('outer', { cause: refused }),
    new Error('outermost', { cause: new Error('outer', { cause: refused }) }),
    Object.assign(new Error('only the code is left'), { code: 'ERR_ADDRESS_REFUSED' }),
  ])('recognises %s', (error) => {
    expect(isAddressRefused(error)).toBe(true);
  });

  it.each([undefined, null, 'ERR_ADDRESS_REFUSED', new Error('ERR_ADDRESS_REFUSED'), { code: 'ERR_ADDRESS_REFUSED' }])(
    'does not take %s for one',
    (error) => {
      expect(isAddressRefused(error)).toBe(false);
    },
  );

  it('ends on a cause that is its own', () => {
    const error = new Error('loop');
    error.cause = error;
    expect(isAddressRefused(error)).toBe(false);
  });
});
