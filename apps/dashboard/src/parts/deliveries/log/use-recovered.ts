import { useQuery } from '@tanstack/react-query';
import { listPublishesOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { useProject } from '../../project.tsx';

/** IDs of failed deliveries whose destination has got the post since. The query is that of the sidebar. */
export function useRecovered(): ReadonlySet<string> {
  const path = { projectId: useProject().id };
  const publishes = useQuery(listPublishesOptions({ path, query: { limit: 50 } }));
  const deliveries = publishes.data?.items.flatMap((publish) => publish.deliveries) ?? [];
  return new Set(deliveries.filter(({ recovered_at: at }) => at !== null).map(({ delivery_id: id }) => id));
}
