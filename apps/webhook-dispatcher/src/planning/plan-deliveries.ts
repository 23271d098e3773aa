import type { VisibilityEvent } from '@blog-content/payload-schemas';

/** A receiver that may get deliveries. */
export interface ActiveIntegration {
  readonly id: string;
  readonly shown_url: string;
}

/** One delivery to come. */
export interface PlannedDelivery {
  readonly integrationId: string;
  /** Host (and port) of the receiver, for people to recognise it; nothing else of the URL leaves this service. */
  readonly receiver: string;
  /** How long it waits for the acknowledgement, in milliseconds. */
  readonly dueInMs: number;
}

export interface PlanningContext {
  /** The project's active integrations. */
  readonly integrations: readonly ActiveIntegration[];
  /** Whether the read service already serves the event. */
  readonly served: boolean;
  /** How long a delivery waits for the acknowledgement before it is due without it, in milliseconds. */
  readonly servedWaitMs: number;
  /** Highest `blog_event_number` of the blog planned so far; 0 when there is none. */
  readonly newestPlanned: number;
}

/**
 * Plans one delivery per active integration (contract §1.4): of those that are there when the event is planned, so that
 * no clock decides who gets it (ADR 18). None for an event that is not newer than one already planned: the receivers
 * have the newer truth or are about to get it, and one that was added since gets nothing of what was planned before
 * (contract §1.5).
 */
export function planDeliveries(
  event: Pick<VisibilityEvent, 'blog_event_number'>,
  context: PlanningContext,
): PlannedDelivery[] {
  if (event.blog_event_number <= context.newestPlanned) return [];
  return context.integrations.map((integration) => ({
    integrationId: integration.id,
    receiver: new URL(integration.shown_url).host,
    dueInMs: context.served ? 0 : context.servedWaitMs,
  }));
}
