import type { LifecycleEvent } from '@blog-content/payload-schemas';

/** A receiver that may get deliveries. */
export interface ActiveIntegration {
  readonly id: string;
  readonly url: string;
  readonly createdAt: Date;
}

/** One delivery to come. */
export interface PlannedDelivery {
  readonly integrationId: string;
  /** Host (and port) of the receiver, for people to recognise it; nothing else of the URL leaves this service. */
  readonly receiver: string;
  /** How long it waits for the read service's word, in milliseconds. */
  readonly dueInMs: number;
}

export interface PlanningContext {
  /** The project's active integrations. */
  readonly integrations: readonly ActiveIntegration[];
  /** Whether the read service already serves the event. */
  readonly served: boolean;
  /** How long a delivery waits for that word before it goes anyway, in milliseconds. */
  readonly servedWaitMs: number;
  /** Highest `blog_event_number` of the blog planned so far; 0 when there is none. */
  readonly newestPlanned: number;
}

/** Clocks of two machines may differ by this much, in milliseconds: a receiver added just before the event gets it. */
const CLOCK_TOLERANCE_MS = 2_000;

/**
 * Plans one delivery per active integration (spec §1.4). None for a receiver added after the event happened, because
 * webhooks only go forward in time (spec §1.5), and none for an event that is older than one already planned: the
 * receivers have the newer truth or are about to get it.
 */
export function planDeliveries(
  event: { readonly time: Date; readonly data: Pick<LifecycleEvent, 'blog_event_number'> },
  context: PlanningContext,
): PlannedDelivery[] {
  if (event.data.blog_event_number <= context.newestPlanned) return [];
  return context.integrations
    .filter((integration) => integration.createdAt.getTime() <= event.time.getTime() + CLOCK_TOLERANCE_MS)
    .map((integration) => ({
      integrationId: integration.id,
      receiver: new URL(integration.url).host,
      dueInMs: context.served ? 0 : context.servedWaitMs,
    }));
}
