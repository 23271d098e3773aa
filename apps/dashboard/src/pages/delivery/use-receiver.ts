import { useQuery } from '@tanstack/react-query';
import { getWebhookOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { useProject } from '../../parts/project.tsx';

/** The webhook that it went to, which may have been deleted since. */
export function useReceiver(integrationId: string) {
  const { id: projectId } = useProject();
  return useQuery({ ...getWebhookOptions({ path: { projectId, integrationId } }), retry: false });
}
