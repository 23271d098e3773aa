import { healthOf } from '../../parts/deliveries/health-of.ts';
import { missedBy, undeliveredOf, type Undelivered } from '../../parts/deliveries/missed-posts.ts';
import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import type {
  Autopilot,
  DeployHookRequestLog,
  GenerationSettings,
  Integration,
  Publish,
  Schedule,
} from '../../generated/types.gen.ts';

export type Attention =
  | {
      readonly kind: 'webhook';
      readonly id: string;
      readonly name: string;
      /** Null where only some posts did not arrive. */
      readonly since: string | null;
      readonly reason: string | null;
      /** Titles of posts that it did not get. */
      readonly posts: readonly string[];
    }
  /** The last deliveries failed, though each post is there: they were resends, link updates or unpublishes. */
  | { readonly kind: 'resends'; readonly id: string; readonly name: string; readonly failed: number }
  /** Posts went live while it was paused. */
  | { readonly kind: 'paused'; readonly id: string; readonly name: string; readonly posts: readonly string[] }
  | {
      readonly kind: 'post';
      readonly publishId: string;
      /** Of the one delivery that failed; null where there are several. */
      readonly deliveryId: string | null;
      readonly title: string;
      readonly missing: number;
      readonly destinations: number;
      readonly reasons: readonly { readonly name: string; readonly detail: string | null }[];
    }
  | { readonly kind: 'rebuild'; readonly reason: string | null }
  | { readonly kind: 'model' }
  | { readonly kind: 'budget'; readonly renewsAt: string }
  | { readonly kind: 'autopilot'; readonly status: 'stopped' | 'waiting' | 'paused'; readonly detail: string | null }
  | { readonly kind: 'late' | 'review'; readonly blogId: string; readonly title: string; readonly at: string };

/** What could not be read is undefined; publishes and requests are the newest first. */
export interface Seen {
  readonly webhooks?: readonly Integration[] | undefined;
  readonly publishes?: readonly Publish[] | undefined;
  readonly hookRequests?: readonly DeployHookRequestLog[] | undefined;
  readonly autopilot?: Autopilot | undefined;
  readonly schedules?: readonly Schedule[] | undefined;
  /** Owners see it. */
  readonly generation?: GenerationSettings | undefined;
}

/** A schedule fires within seconds; later than this it is late. */
const LATE_MS = 60_000;

/** What someone should look at, the most pressing first. Many failures with one cause are one. */
export function whatNeedsAttention(seen: Seen, now: number): readonly Attention[] {
  return [...failures(seen), ...pauses(seen), ...rebuilds(seen), ...writing(seen), ...waiting(seen, now)];
}

/** How many posts did not arrive everywhere, and how many webhooks are failing: the sidebar's counts. */
export function countFailures(seen: Pick<Seen, 'webhooks' | 'publishes'>): { publishes: number; webhooks: number } {
  return { publishes: undeliveredOf(seen.publishes ?? []).length, webhooks: failing(seen).length };
}

/** Webhooks that their own page calls failing. */
const failing = ({ webhooks = [] }: Pick<Seen, 'webhooks'>) =>
  webhooks.filter((webhook) => webhook.active && healthOf(webhook).kind === 'failing');

function failures(seen: Seen): Attention[] {
  const names = new Map(seen.webhooks?.map((webhook) => [webhook.id, nameOfWebhook(webhook)]));
  // One that was deleted since has its host only.
  const nameOf = (delivery: Publish['deliveries'][number]) => names.get(delivery.integration_id) ?? delivery.receiver;
  const undelivered = undeliveredOf(seen.publishes ?? []);
  const missed = Map.groupBy(
    undelivered.flatMap(({ publish, failed }) => failed.map((delivery) => ({ publish, delivery }))),
    ({ delivery }) => delivery.integration_id,
  );
  const all = failing(seen);
  const webhooks = all
    .filter(({ failing_since: since }) => since !== null)
    .map((webhook) => ({
      kind: 'webhook' as const,
      id: webhook.id,
      name: nameOfWebhook(webhook),
      since: webhook.failing_since,
      reason: webhook.failing_reason,
      posts: (missed.get(webhook.id) ?? []).map(({ publish }) => publish.blog_title),
    }));
  const shown = new Set(webhooks.map(({ id }) => id));
  // A deleted webhook has no page that could fix all of them.
  const shared = [...missed].filter(([id, posts]) => !shown.has(id) && posts.length > 1 && names.has(id));
  const causes = shared.map(([id, posts]) => ({
    kind: 'webhook' as const,
    id,
    name: nameOf(posts[0]!.delivery),
    since: null,
    reason: posts[0]!.delivery.detail,
    posts: posts.map(({ publish }) => publish.blog_title),
  }));
  for (const { id } of causes) shown.add(id);
  const resends = all
    .filter(({ id }) => !shown.has(id) && !missed.has(id))
    .map((webhook) => ({
      kind: 'resends' as const,
      id: webhook.id,
      name: nameOfWebhook(webhook),
      failed: webhook.failed_deliveries,
    }));
  return [...webhooks, ...causes, ...resends, ...undelivered.flatMap((each) => ofPost(each, shown, nameOf))];
}

/** A post whose failures no webhook's entry explains. */
function ofPost(
  { publish, failed }: Undelivered,
  explained: ReadonlySet<string>,
  nameOf: (delivery: Publish['deliveries'][number]) => string,
): Attention[] {
  const own = failed.filter(({ integration_id: id }) => !explained.has(id));
  if (own.length === 0) return [];
  return [
    {
      kind: 'post',
      publishId: publish.id,
      deliveryId: own.length === 1 ? own[0]!.delivery_id : null,
      title: publish.blog_title,
      missing: failed.length,
      destinations: publish.deliveries.filter(({ status }) => status !== 'superseded').length,
      reasons: own.map((delivery) => ({ name: nameOf(delivery), detail: delivery.detail })),
    },
  ];
}

function pauses({ webhooks = [], publishes = [] }: Seen): Attention[] {
  return webhooks.flatMap<Attention>((webhook) => {
    const posts = webhook.active ? [] : missedBy(webhook, publishes).map(({ blog_title: title }) => title);
    return posts.length === 0 ? [] : [{ kind: 'paused', id: webhook.id, name: nameOfWebhook(webhook), posts }];
  });
}

function rebuilds({ hookRequests = [] }: Seen): Attention[] {
  const last = hookRequests.find(({ status }) => status === 'succeeded' || status === 'failed');
  return last?.status === 'failed' ? [{ kind: 'rebuild', reason: last.detail }] : [];
}

function writing({ autopilot, generation }: Seen): Attention[] {
  const found: Attention[] = [];
  const isOn = autopilot?.enabled === true;
  if (generation && isOn && generation.writer === 'offline') found.push({ kind: 'model' });
  if (generation && generation.writer !== 'offline') {
    const { month, effective } = generation;
    const isSpent = month.cost >= effective.month_budget || month.tokens >= effective.month_tokens;
    if (isSpent) found.push({ kind: 'budget', renewsAt: month.renews_at });
  }
  const { status, detail = null } = autopilot ?? {};
  if (status === 'stopped' || status === 'waiting' || status === 'paused') {
    found.push({ kind: 'autopilot', status, detail });
  }
  return found;
}

/** Posts that are late, and those that the autopilot publishes unless someone stops it. */
function waiting({ schedules = [] }: Seen, now: number): Attention[] {
  return schedules.flatMap<Attention>(({ blog_id: blogId, title, publish_at: at, trigger }) => {
    if (now - Date.parse(at) > LATE_MS) return [{ kind: 'late', blogId, title, at }];
    return trigger === 'autopilot' ? [{ kind: 'review', blogId, title, at }] : [];
  });
}

/** Many of one kind hide none of another: the rest of it is a number, with a link to where all are. */
const MAX_OF_A_KIND = 5;

/** What to look at, kind after kind in its order: the first few of each, and how many more there are. */
export function byKind(found: readonly Attention[]) {
  return [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, all]) => ({
    kind,
    shown: all.slice(0, MAX_OF_A_KIND),
    more: Math.max(0, all.length - MAX_OF_A_KIND),
  }));
}
