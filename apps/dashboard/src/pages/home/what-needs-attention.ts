import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import type { Autopilot, DeployHookRequestLog, Integration, Publish, Schedule } from '../../generated/types.gen.ts';

export type Attention =
  | {
      readonly kind: 'receiver';
      readonly id: string;
      readonly name: string;
      readonly since: string;
      readonly reason: string | null;
    }
  | { readonly kind: 'publish'; readonly id: string; readonly title: string; readonly receivers: readonly string[] }
  | { readonly kind: 'hook'; readonly reason: string | null }
  | { readonly kind: 'autopilot'; readonly status: 'stopped' | 'waiting' | 'paused'; readonly detail: string | null }
  | {
      readonly kind: 'due';
      readonly blogId: string;
      readonly title: string;
      readonly at: string;
      readonly why: 'due' | 'dueReview' | 'overdue';
    };

const SOON_MS = 24 * 60 * 60 * 1000;
/** A schedule fires within seconds; later than this it is late. */
const LATE_MS = 60_000;

/** What somebody should look at, the most pressing first. What could not be read is undefined. */
export function whatNeedsAttention(
  seen: {
    readonly webhooks?: readonly Integration[] | undefined;
    /** Newest first. */
    readonly publishes?: readonly Publish[] | undefined;
    /** Newest first. */
    readonly hookRequests?: readonly DeployHookRequestLog[] | undefined;
    readonly autopilot?: Autopilot | undefined;
    readonly schedules?: readonly Schedule[] | undefined;
  },
  now: number,
): readonly Attention[] {
  const receivers = (seen.webhooks ?? []).flatMap((webhook) =>
    webhook.active && webhook.failing_since !== null
      ? [
          {
            kind: 'receiver' as const,
            id: webhook.id,
            name: nameOfWebhook(webhook),
            since: webhook.failing_since,
            reason: webhook.failing_reason,
          },
        ]
      : [],
  );
  const names = new Map(seen.webhooks?.map((webhook) => [webhook.id, nameOfWebhook(webhook)]));
  // What a later publish of the same post has put right is no news.
  const newest = new Map<string, Publish>();
  for (const publish of seen.publishes ?? []) {
    if (!newest.has(publish.blog_id)) newest.set(publish.blog_id, publish);
  }
  const publishes = [...newest.values()].flatMap(({ id, status, blog_title: title, deliveries }) => {
    // The title of a post that was deleted since is empty: nobody can publish it again.
    if (status !== 'failed' || title === '') return [];
    const failed = deliveries.filter((each) => each.status === 'failed' && each.recovered_at === null);
    // One that was deleted since has its host only.
    const receivers = failed.map(({ integration_id, receiver }) => names.get(integration_id) ?? receiver);
    // What was sent again has arrived, though its publish stays a failed one.
    if (deliveries.length > 0 && failed.length === 0) return [];
    return [{ kind: 'publish' as const, id, title, receivers: [...new Set(receivers)] }];
  });
  const hook = seen.hookRequests?.find(({ status }) => status === 'succeeded' || status === 'failed');
  const hooks = hook?.status === 'failed' ? [{ kind: 'hook' as const, reason: hook.detail }] : [];
  const { status, detail = null } = seen.autopilot ?? {};
  const autopilots =
    status === 'stopped' || status === 'waiting' || status === 'paused'
      ? [{ kind: 'autopilot' as const, status, detail }]
      : [];
  const due = (seen.schedules ?? [])
    // What an autopilot will publish waits for somebody to look at it, however long that may take.
    .filter(({ publish_at, trigger }) => trigger === 'autopilot' || Date.parse(publish_at) - now < SOON_MS)
    .map(({ blog_id: blogId, title, publish_at: at, trigger }) => {
      const late = now - Date.parse(at) > LATE_MS;
      const why = late ? ('overdue' as const) : trigger === 'autopilot' ? ('dueReview' as const) : ('due' as const);
      return { kind: 'due' as const, blogId, title, at, why };
    });
  return [...receivers, ...publishes, ...hooks, ...autopilots, ...due];
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
