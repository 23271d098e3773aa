import { useQueries, useQuery } from '@tanstack/react-query';
import { listDeliveriesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Delivery, Integration } from '../../generated/types.gen.ts';
import { firstOfEach } from '../../parts/lists/first-of-each.ts';
import { useProject } from '../../parts/project.tsx';

/** The newest delivery of each webhook, and null for one that has none; those still to come are left out. */
export function useLastDeliveries(webhooks: readonly Integration[]): ReadonlyMap<string, Delivery | null> {
  const { id: projectId } = useProject();
  const path = { projectId };
  const newest = useQuery(listDeliveriesOptions({ path, query: { limit: 100 } }));
  const last = firstOfEach(newest.data?.items ?? [], ({ integration_id: id }) => id);
  const found = new Map<string, Delivery | null>(last.map((delivery) => [delivery.integration_id, delivery]));
  // Only a webhook that is behind all others has to be asked for.
  const missing = newest.data ? webhooks.filter(({ id }) => !found.has(id)) : [];
  const hasMore = newest.data?.next_cursor != null;
  const others = useQueries({
    queries: hasMore
      ? missing.map(({ id }) => listDeliveriesOptions({ path, query: { integration_id: id, limit: 1 } }))
      : [],
  });
  missing.forEach(({ id }, index) => {
    const log = others[index]?.data;
    if (log || !hasMore) found.set(id, log?.items[0] ?? null);
  });
  return found;
}
