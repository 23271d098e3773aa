import type { ListPublishesData, Publish } from '../../generated/types.gen.ts';

/** By whom, as people say it, and what the API calls it. */
const BY = {
  person: { trigger: 'manual', scheduled: 'false' },
  agent: { trigger: 'autopilot', scheduled: 'false' },
  schedule: { trigger: 'manual', scheduled: 'true' },
  autopilot: { trigger: 'autopilot', scheduled: 'true' },
} as const;
export type By = keyof typeof BY;
export const BYS = Object.keys(BY) as By[];

export const OUTCOMES = ['delivered', 'failed', 'pending'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What the list shows, as the URL has it. */
export interface PublishingSearch {
  readonly by?: By;
  readonly outcome?: Outcome;
  /** Only publishes of this post. */
  readonly post?: string;
  readonly cursor?: string;
}

/** Reads the URL; drops what it does not know. */
export function readPublishingSearch(given: Readonly<Record<string, unknown>>): PublishingSearch {
  const { by, outcome, post, cursor } = given;
  return {
    ...(BYS.includes(by as By) && { by: by as By }),
    ...(OUTCOMES.includes(outcome as Outcome) && { outcome: outcome as Outcome }),
    ...(typeof post === 'string' && { post }),
    ...(typeof cursor === 'string' && { cursor }),
  };
}

/** What the list asks the API for. */
export function queryOf({ by, outcome, post, cursor }: PublishingSearch): NonNullable<ListPublishesData['query']> {
  return {
    ...(by !== undefined && BY[by]),
    ...(outcome !== undefined && { outcome }),
    ...(post !== undefined && { blog_id: post }),
    ...(cursor !== undefined && { cursor }),
  };
}

export function byOf({ trigger, scheduled_for: at }: Pick<Publish, 'trigger' | 'scheduled_for'>): By {
  if (trigger === 'manual') return at === null ? 'person' : 'schedule';
  return at === null ? 'agent' : 'autopilot';
}
