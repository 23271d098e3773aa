/** What the list shows, as it stands in the address. */
export interface PublishingSearch {
  readonly trigger?: 'manual' | 'autopilot';
  /** Only publishes of this post. */
  readonly post?: string;
  readonly cursor?: string;
}

/** Reads the address; what it does not know it leaves out. */
export function readPublishingSearch(given: Readonly<Record<string, unknown>>): PublishingSearch {
  const { trigger, post, cursor } = given;
  return {
    ...((trigger === 'manual' || trigger === 'autopilot') && { trigger }),
    ...(typeof post === 'string' && { post }),
    ...(typeof cursor === 'string' && { cursor }),
  };
}
