import { publishStatus } from './show-publish.ts';

const deliveries = (...statuses: string[]) => statuses.map((status) => ({ status }));

describe('the status of a publish (contract §3.1)', () => {
  it.each([
    ['pending until its deliveries are planned', false, [], 'pending'],
    ['succeeded when there is no integration', true, [], 'succeeded'],
    ['pending while a delivery is', true, ['succeeded', 'pending'], 'pending'],
    ['succeeded when all are', true, ['succeeded', 'succeeded'], 'succeeded'],
    ['failed when one delivery failed', true, ['succeeded', 'failed'], 'failed'],
    ['failed as soon as one failed', true, ['pending', 'failed'], 'failed'],
    ['succeeded when a delivery was superseded', true, ['succeeded', 'superseded'], 'succeeded'],
    ['pending when an outcome came before the plan', false, ['succeeded'], 'pending'],
  ] as const)('is %s', (_case, planned, statuses, status) => {
    expect(publishStatus({ planned, deliveries: deliveries(...statuses) })).toBe(status);
  });
});
