import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { listWebhooksOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { Log } from '../../parts/deliveries/log/log.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { useProject } from '../../parts/project.tsx';
import { webhookLog as text } from '../../strings/sites/webhook-log.ts';

export function Page() {
  const { id: projectId } = useProject();
  const search = useSearch({ from: '/projects/$projectId/webhooks/deliveries' });
  const navigate = useNavigate({ from: '/projects/$projectId/webhooks/deliveries' });
  const webhooks = useQuery(listWebhooksOptions({ path: { projectId }, query: { limit: 100 } }));
  return (
    <PageFrame title={text.title} description={text.intro}>
      <Log search={search} webhooks={webhooks.data?.items} onShow={(next) => void navigate({ search: next })} />
    </PageFrame>
  );
}
