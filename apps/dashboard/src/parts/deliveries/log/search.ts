const STATUSES = ['pending', 'in_flight', 'succeeded', 'failed', 'superseded'] as const;
const KINDS = ['lifecycle', 'redelivery', 'link_changed', 'test', 'sample'] as const;
/** The events of deliveries; a test compares them with the contract’s. */
export const EVENTS = ['blog.published', 'blog.updated', 'blog.unpublished', 'blog.deleted', 'test.ping'] as const;

/** What the log shows, as the URL has it. */
export interface DeliveriesSearch {
  readonly webhook?: string;
  readonly post?: string;
  readonly status?: (typeof STATUSES)[number];
  readonly kind?: (typeof KINDS)[number];
  readonly event?: (typeof EVENTS)[number];
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  readonly cursor?: string;
}

const oneOf = <const Known extends string>(known: readonly Known[], given: unknown): Known | undefined =>
  known.find((each) => each === given);
const text = (given: unknown): string | undefined => (typeof given === 'string' ? given : undefined);
const moment = (given: unknown): string | undefined =>
  typeof given === 'string' && !Number.isNaN(Date.parse(given)) ? new Date(given).toISOString() : undefined;

/** Reads the URL and leaves out what it does not know. */
export function readDeliveriesSearch(given: Readonly<Record<string, unknown>>): DeliveriesSearch {
  const read = {
    webhook: text(given['webhook']),
    post: text(given['post']),
    status: oneOf(STATUSES, given['status']),
    kind: oneOf(KINDS, given['kind']),
    event: oneOf(EVENTS, given['event']),
    since: moment(given['since']),
    until: moment(given['until']),
    cursor: text(given['cursor']),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** The query of the API for it. */
export function deliveriesQuery({ webhook, post, ...rest }: DeliveriesSearch, limit: number) {
  return {
    limit,
    ...rest,
    ...(webhook !== undefined && { integration_id: webhook }),
    ...(post !== undefined && { blog_id: post }),
  };
}
