import { createLanes } from './slots.ts';

const at = (slowAfterMs = 2_000, concurrency = 8, perTenant = 3) => {
  let nowMs = 0;
  const lanes = createLanes({ concurrency, perTenant, slowAfterMs, now: () => nowMs });
  const begin = (tenantId: string, count: number) => Array.from({ length: count }, () => lanes.enter(tenantId));
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { lanes, begin, pass };
};

it('a tenant gets no more slots than its share, and the others keep theirs', () => {
  const { lanes, begin } = at();
  begin('hostile', 3);
  expect(lanes.free().tenants.get('hostile')).toEqual({ running: 3, free: 0 });
  expect(lanes.free()).toMatchObject({ inAll: 5, perTenant: 3 });
});

it('an attempt that takes long gives its slot back', () => {
  const { lanes, begin, pass } = at();
  begin('hostile', 3);
  pass(1_999);
  expect([lanes.free().inAll, lanes.slow(), lanes.nextSlowInMs()]).toEqual([5, 0, 1]);
  pass(1);
  expect([lanes.free().inAll, lanes.slow(), lanes.nextSlowInMs()]).toEqual([8, 3, null]);
  expect(lanes.free().tenants.get('hostile')).toEqual({ running: 3, free: 3 });
});

it('slow attempts of a tenant are bounded too, and so no fast slot is kept for long', () => {
  const { lanes, begin, pass } = at();
  begin('hostile', 3);
  pass(2_000);
  begin('hostile', 3);
  pass(2_000);
  expect(lanes.free()).toMatchObject({ inAll: 8 });
  expect(lanes.free().tenants.get('hostile')).toEqual({ running: 6, free: 0 });
});

it('slow attempts are bounded in all', () => {
  const { lanes, begin, pass } = at();
  for (let tenant = 0; tenant < 6; tenant += 1) begin(`hostile ${tenant}`, 6);
  pass(2_000);
  expect(lanes.free().inAll).toBe(0);
});

it('an attempt that has ended counts no more', () => {
  const { lanes, begin, pass } = at();
  const [first] = begin('quick', 2);
  first?.();
  first?.();
  expect(lanes.free().tenants.get('quick')).toEqual({ running: 1, free: 2 });
  pass(2_000);
  begin('quick', 1)[0]?.();
  expect(lanes.free().tenants.get('quick')).toEqual({ running: 1, free: 3 });
});

it('any number of tenants with hanging attempts never fill all slots', () => {
  const { lanes, begin, pass } = at(2_000, 256, 64);
  const hostile = Array.from({ length: 11 }, (_, index) => `hostile ${index}`);
  for (let rounds = 0; rounds < 20; rounds += 1) {
    for (const tenant of hostile) {
      const { inAll, perTenant, tenants } = lanes.free();
      begin(tenant, Math.min(inAll, tenants.get(tenant)?.free ?? perTenant));
      pass(2_000);
    }
  }
  expect(lanes.free().inAll).toBeGreaterThanOrEqual(64);
  for (const tenant of hostile) expect(lanes.free().tenants.get(tenant)).toMatchObject({ free: 0 });
});
