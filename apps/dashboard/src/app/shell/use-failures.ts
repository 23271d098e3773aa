import { useQuery } from '@tanstack/react-query';
import { listPublishesOptions, listWebhooksOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { countFailures } from '../../pages/home/what-needs-attention.ts';
import { useProject } from '../../parts/project.tsx';

/** The number of failures to handle, by the page that shows them. The queries are those of Home. */
export function useFailures(): Readonly<Record<string, number>> {
  const path = { projectId: useProject().id };
  const webhooks = useQuery(listWebhooksOptions({ path, query: { limit: 100 } }));
  const publishes = useQuery(listPublishesOptions({ path, query: { limit: 50 } }));
  const failed = countFailures({ webhooks: webhooks.data?.items, publishes: publishes.data?.items });
  return { '/projects/$projectId/publishing': failed.publishes, '/projects/$projectId/webhooks': failed.webhooks };
}
