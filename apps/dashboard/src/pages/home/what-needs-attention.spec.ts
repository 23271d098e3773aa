import type { Autopilot, DeployHookRequestLog, Integration, Publish, Schedule } from '../../generated/types.gen.ts';
import { byKind, whatNeedsAttention } from './what-needs-attention.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const kinds = (seen: Parameters<typeof whatNeedsAttention>[0]) => whatNeedsAttention(seen, NOW).map(({ kind }) => kind);

const webhook = (change: Partial<Integration>) =>
  ({ id: 'w', name: 'W', active: true, failing_since: null, failing_reason: null, ...change }) as Integration;
const publish = (blog: string, status: Publish['status']) =>
  ({ id: `${blog} ${status}`, blog_id: blog, blog_title: blog, status, deliveries: [] }) as unknown as Publish;
const schedule = (publish_at: string, trigger: Schedule['trigger'] = 'manual') => ({
  blog_id: 'b',
  title: 'B',
  publish_at,
  trigger,
});

describe('what needs attention', () => {
  it('is nothing while all goes well', () => {
    const seen = {
      webhooks: [webhook({})],
      publishes: [publish('a', 'succeeded')],
      autopilot: { status: 'running' } as Autopilot,
      schedules: [schedule('2026-11-25T12:00:00Z')],
    };
    expect(kinds(seen)).toEqual([]);
  });

  it('is an active receiver that fails, not one that was paused', () => {
    const since = '2026-11-23T10:00:00Z';
    expect(kinds({ webhooks: [webhook({ failing_since: since })] })).toEqual(['receiver']);
    expect(kinds({ webhooks: [webhook({ failing_since: since, active: false })] })).toEqual([]);
  });

  it('is a publish that failed, unless a later one of the post succeeded', () => {
    expect(kinds({ publishes: [publish('a', 'failed'), publish('a', 'succeeded')] })).toEqual(['publish']);
    expect(kinds({ publishes: [publish('a', 'succeeded'), publish('a', 'failed')] })).toEqual([]);
  });

  it('names receivers as people call them, and by their address where they have no name or are gone', () => {
    const failed = (integration_id: string) => ({
      integration_id,
      receiver: `${integration_id}.example`,
      status: 'failed',
      recovered_at: null,
    });
    const webhooks = [
      webhook({ id: 'a', name: 'Shop' }),
      webhook({ id: 'b', name: '', url: 'https://b.example/hook' }),
    ];
    const deliveries = ['a', 'b', 'gone'].map(failed) as Publish['deliveries'];
    const seen = { webhooks, publishes: [{ ...publish('a', 'failed'), deliveries }] };
    expect(whatNeedsAttention(seen, NOW)).toMatchObject([{ receivers: ['Shop', 'b.example/hook', 'gone.example'] }]);
  });

  it('is a failed publish only at those receivers to which it was not sent again with success', () => {
    const found = (...recovered: string[]) => {
      const deliveries = ['a', 'b'].map((id) => ({
        integration_id: id,
        receiver: id,
        status: 'failed',
        recovered_at: recovered.includes(id) ? '2026-11-28T12:00:00Z' : null,
      }));
      const publishes = [{ ...publish('x', 'failed'), deliveries: deliveries as Publish['deliveries'] }];
      return whatNeedsAttention({ publishes }, NOW);
    };
    expect(found()).toMatchObject([{ receivers: ['a', 'b'] }]);
    expect(found('a')).toMatchObject([{ receivers: ['b'] }]);
    expect(found('a', 'b')).toEqual([]);
  });

  it('is no publish of a post that was deleted since', () => {
    expect(kinds({ publishes: [{ ...publish('a', 'failed'), blog_title: '' }] })).toEqual([]);
  });

  it('is the deploy hook when its last call that has ended failed', () => {
    const request = (status: string) => ({ status, detail: null }) as unknown as DeployHookRequestLog;
    expect(kinds({ hookRequests: [request('pending'), request('failed')] })).toEqual(['hook']);
    expect(kinds({ hookRequests: [request('succeeded'), request('failed')] })).toEqual([]);
  });

  it.each(['stopped', 'waiting', 'paused'])('is an autopilot that is %s', (status) => {
    expect(kinds({ autopilot: { status, detail: null } as unknown as Autopilot })).toEqual(['autopilot']);
  });

  it('is an autopilot’s draft from the beginning of its review window on', () => {
    expect(kinds({ schedules: [schedule('2026-11-30T12:00:00Z', 'autopilot')] })).toEqual(['due']);
  });

  it('is a post that is due within a day, that waits for a review, or that is late', () => {
    const why = (given: Schedule) => whatNeedsAttention({ schedules: [given] }, NOW);
    expect(why(schedule('2026-11-24T11:00:00Z'))).toMatchObject([{ why: 'due' }]);
    expect(why(schedule('2026-11-24T11:00:00Z', 'autopilot'))).toMatchObject([{ why: 'dueReview' }]);
    expect(why(schedule('2026-11-23T11:00:00Z'))).toMatchObject([{ why: 'overdue' }]);
  });

  it('has a place for each kind, however many publishes have failed, and counts those that are not shown', () => {
    const found = whatNeedsAttention(
      {
        webhooks: [webhook({ failing_since: '2026-11-23T10:00:00Z' })],
        publishes: Array.from({ length: 50 }, (_, index) => publish(String(index), 'failed')),
        hookRequests: [{ status: 'failed', detail: null } as unknown as DeployHookRequestLog],
        autopilot: { status: 'stopped', detail: null } as unknown as Autopilot,
        schedules: [schedule('2026-11-24T11:00:00Z')],
      },
      NOW,
    );
    expect(byKind(found).map(({ kind, shown, more }) => [kind, shown.length, more])).toEqual([
      ['receiver', 1, 0],
      ['publish', 5, 45],
      ['hook', 1, 0],
      ['autopilot', 1, 0],
      ['due', 1, 0],
    ]);
  });
});
