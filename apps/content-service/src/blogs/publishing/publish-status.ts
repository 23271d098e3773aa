/** A publish as far as its status goes. */
export interface PublishOutcome {
  /** Whether the dispatcher has said which deliveries there are. */
  readonly planned: boolean;
  readonly deliveries: readonly { readonly status: string }[];
}

/**
 * The status of a publish, worked out from its deliveries (contract §3.1): one failed delivery fails it, a
 * superseded one does not, and with no integration it succeeds.
 */
export function publishStatus({ planned, deliveries }: PublishOutcome): 'pending' | 'succeeded' | 'failed' {
  if (deliveries.some(({ status }) => status === 'failed')) return 'failed';
  if (!planned || deliveries.some(({ status }) => status === 'pending')) return 'pending';
  return 'succeeded';
}
