import { deliveriesQuery, readDeliveriesSearch } from './search.ts';

describe('the address of the delivery log', () => {
  it('keeps every filter, and leaves out what it does not know', () => {
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

  it('asks the API by its own names', () => {
    expect(deliveriesQuery({ webhook: 'i', post: 'b', status: 'failed' }, 25)).toEqual({
      limit: 25,
      integration_id: 'i',
      blog_id: 'b',
      status: 'failed',
    });
  });
});
