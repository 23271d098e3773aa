import { useQuery } from '@tanstack/react-query';
import { listPublishesOptions, listWebhooksOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { whatNeedsAttention } from '../../pages/home/what-needs-attention.ts';
import { useProject } from '../../parts/project.tsx';

/** How much has failed and waits for somebody, by the page that shows it. The queries are those of Home. */
export function useFailures(): Readonly<Record<string, number>> {
  const path = { projectId: useProject().id };
  const webhooks = useQuery(listWebhooksOptions({ path, query: { limit: 100 } }));
  const publishes = useQuery(listPublishesOptions({ path, query: { limit: 50 } }));
  const found = whatNeedsAttention({ webhooks: webhooks.data?.items, publishes: publishes.data?.items }, Date.now());
  const count = (kind: string) => found.filter((each) => each.kind === kind).length;
  return { '/projects/$projectId/publishing': count('publish'), '/projects/$projectId/webhooks': count('receiver') };
}
