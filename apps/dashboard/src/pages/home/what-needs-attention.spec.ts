import type {
  Autopilot,
  DeployHookRequestLog,
  GenerationSettings,
  Integration,
  Publish,
  Schedule,
} from '../../generated/types.gen.ts';
import { byKind, countFailures, whatNeedsAttention, type Seen } from './what-needs-attention.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const found = (seen: Seen) => whatNeedsAttention(seen, NOW);
const kinds = (seen: Seen) => found(seen).map(({ kind }) => kind);

const SINCE = '2026-11-23T10:00:00Z';
const webhook = (id: string, change: Partial<Integration> = {}) =>
  ({
    id,
    name: `Site ${id}`,
    active: true,
    created_at: '2026-11-01T00:00:00Z',
    failed_deliveries: 0,
    failing_since: null,
    failing_reason: null,
    ...change,
  }) as Integration;

type State = 'succeeded' | 'failed' | 'recovered' | 'superseded' | 'pending';
/** A publish of the post with the state of its delivery to each webhook. */
const publish = (post: string, to: Readonly<Record<string, State>>, change: Partial<Publish> = {}) =>
  ({
    id: `publish of ${post}`,
    blog_id: post,
    blog_title: post,
    blog_state: 'published',
    status: 'succeeded',
    requested_at: SINCE,
    deliveries: Object.entries(to).map(([id, state]) => ({
      delivery_id: `${post} to ${id}`,
      integration_id: id,
      receiver: `${id}.example`,
      status: state === 'recovered' ? 'failed' : state,
      recovered_at: state === 'recovered' ? SINCE : null,
      detail: state === 'failed' ? 'It returned 500.' : null,
    })),
    ...change,
  }) as unknown as Publish;
const schedule = (publish_at: string, trigger: Schedule['trigger'] = 'manual') => ({
  blog_id: 'b',
  title: 'B',
  language: null,
  publish_at,
  trigger,
});
const generation = (writer: 'project' | 'offline', cost = 0) =>
  ({
    writer,
    month: { cost, tokens: 0, renews_at: '2026-12-01T00:00:00Z' },
    effective: { month_budget: 5, month_tokens: 1000 },
  }) as unknown as GenerationSettings;

describe('what needs attention', () => {
  it('is nothing while everything works', () => {
    const seen = {
      webhooks: [webhook('a')],
      publishes: [publish('p', { a: 'succeeded' })],
      autopilot: { status: 'running', enabled: true } as Autopilot,
      schedules: [schedule('2026-11-25T12:00:00Z')],
      generation: generation('project'),
    };
    expect(kinds(seen)).toEqual([]);
  });

  it('is a failing webhook with the posts that it missed, as one entry', () => {
    const seen = {
      webhooks: [webhook('a', { failing_since: SINCE, failing_reason: 'It returned 500.' })],
      publishes: ['p', 'q', 'r'].map((post) => publish(post, { a: 'failed', b: 'succeeded' })),
    };
    expect(found(seen)).toEqual([
      { kind: 'webhook', id: 'a', name: 'Site a', since: SINCE, reason: 'It returned 500.', posts: ['p', 'q', 'r'] },
    ]);
    expect(countFailures(seen)).toEqual({ publishes: 3, webhooks: 1 });
  });

  it('is a webhook whose last deliveries failed, even if it has every post', () => {
    const seen = { webhooks: [webhook('a', { failed_deliveries: 1 })], publishes: [publish('p', { a: 'succeeded' })] };
    expect(found(seen)).toEqual([{ kind: 'resends', id: 'a', name: 'Site a', failed: 1 }]);
    expect(countFailures(seen)).toEqual({ publishes: 0, webhooks: 1 });
  });

  it('includes a paused webhook only if posts went live during the pause', () => {
    const paused = [webhook('a', { failing_since: SINCE, active: false })];
    expect(kinds({ webhooks: paused, publishes: [publish('p', { a: 'succeeded' })] })).toEqual([]);
    expect(found({ webhooks: paused, publishes: [publish('p', {})] })).toEqual([
      { kind: 'paused', id: 'a', name: 'Site a', posts: ['p'] },
    ]);
    expect(
      kinds({ webhooks: paused, publishes: [publish('p', {}, { requested_at: '2026-10-01T00:00:00Z' })] }),
    ).toEqual([]);
    expect(kinds({ webhooks: paused, publishes: [publish('p', {}, { blog_state: 'unpublished' })] })).toEqual([]);
  });

  it('groups posts that one webhook missed, also while it does not count as failing', () => {
    const seen = {
      webhooks: [webhook('a'), webhook('b')],
      publishes: [publish('p', { a: 'failed', b: 'failed' }), publish('q', { a: 'failed', b: 'succeeded' })],
    };
    expect(found(seen)).toMatchObject([
      { kind: 'webhook', id: 'a', since: null, posts: ['p', 'q'] },
      { kind: 'post', title: 'p', missing: 2, destinations: 2, reasons: [{ name: 'Site b' }] },
    ]);
    expect(countFailures(seen)).toEqual({ publishes: 2, webhooks: 0 });
  });

  it('is a single post with the delivery to fix, and names a deleted webhook by its host', () => {
    const [post] = found({ webhooks: [webhook('a')], publishes: [publish('p', { a: 'superseded', gone: 'failed' })] });
    expect(post).toEqual({
      kind: 'post',
      publishId: 'publish of p',
      deliveryId: 'p to gone',
      title: 'p',
      missing: 1,
      destinations: 1,
      reasons: [{ name: 'gone.example', detail: 'It returned 500.' }],
    });
    const several = publish('p', { a: 'failed', b: 'failed', c: 'succeeded' });
    expect(found({ publishes: [several] })).toMatchObject([{ deliveryId: null, missing: 2, destinations: 3 }]);
  });

  it('leaves out what was resent, replaced by a newer publish, or unpublished', () => {
    expect(kinds({ publishes: [publish('p', { a: 'recovered' })] })).toEqual([]);
    expect(kinds({ publishes: [publish('p', { a: 'succeeded' }), publish('p', { a: 'failed' })] })).toEqual([]);
    expect(kinds({ publishes: [publish('p', { a: 'failed' }, { blog_state: 'unpublished' })] })).toEqual([]);
  });

  it('is the deploy hook if its last finished request failed', () => {
    const request = (status: string) => ({ status, detail: null }) as unknown as DeployHookRequestLog;
    expect(kinds({ hookRequests: [request('waiting'), request('failed')] })).toEqual(['rebuild']);
    expect(kinds({ hookRequests: [request('succeeded'), request('failed')] })).toEqual([]);
  });

  it.each(['stopped', 'waiting', 'paused'])('is an autopilot that is %s', (status) => {
    expect(kinds({ autopilot: { status, detail: null } as unknown as Autopilot })).toEqual(['autopilot']);
  });

  it('is an autopilot without a model, and a budget that is used up', () => {
    const autopilot = { status: 'running', enabled: true } as Autopilot;
    expect(kinds({ autopilot, generation: generation('offline') })).toEqual(['model']);
    expect(kinds({ generation: generation('offline') })).toEqual([]);
    expect(kinds({ generation: generation('project', 5) })).toEqual(['budget']);
  });

  it('is a late post and an autopilot draft to review, not a post that is due as planned', () => {
    const kindsOf = (given: Schedule) => kinds({ schedules: [given] });
    expect(kindsOf(schedule('2026-11-23T11:00:00Z'))).toEqual(['late']);
    expect(kindsOf(schedule('2026-11-30T12:00:00Z', 'autopilot'))).toEqual(['review']);
    expect(kindsOf(schedule('2026-11-23T12:30:00Z'))).toEqual([]);
  });

  it('has a place for each kind, however many posts failed, and counts those that are not shown', () => {
    const all = found({
      webhooks: [webhook('a', { failing_since: SINCE })],
      publishes: Array.from({ length: 50 }, (_, index) => publish(`p${index}`, { [`w${index}`]: 'failed' })),
      autopilot: { status: 'stopped', detail: null } as unknown as Autopilot,
    });
    expect(byKind(all).map(({ kind, shown, more }) => [kind, shown.length, more])).toEqual([
      ['webhook', 1, 0],
      ['post', 5, 45],
      ['autopilot', 1, 0],
    ]);
  });
});
