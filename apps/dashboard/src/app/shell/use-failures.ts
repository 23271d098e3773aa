import { useQuery } from '@tanstack/react-query';
import { listPublishesOptions, listWebhooksOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { countFailures } from '../../pages/home/what-needs-attention.ts';
import { useProject } from '../../parts/project.tsx';

/** How much has failed and waits for somebody, by the page that shows it. The queries are those of Home. */
export function useFailures(): Readonly<Record<string, number>> {
  const path = { projectId: useProject().id };
  const webhooks = useQuery(listWebhooksOptions({ path, query: { limit: 100 } }));
  const publishes = useQuery(listPublishesOptions({ path, query: { limit: 50 } }));
  const failed = countFailures({ webhooks: webhooks.data?.items, publishes: publishes.data?.items });
  return { '/projects/$projectId/publishing': failed.publishes, '/projects/$projectId/webhooks': failed.webhooks };
}
