import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendWebhookSample, testWebhook } from '../../generated/sdk.gen.ts';
import type { Integration } from '../../generated/types.gen.ts';

/** Sends a test or a sample to the receiver and keeps the last result. */
export function useWebhookTest({ id: integrationId, project_id: projectId }: Integration) {
  const queries = useQueryClient();
  const path = { projectId, integrationId };
  const { mutate, isPending, variables, data, error, reset } = useMutation({
    mutationFn: async (kind: 'ping' | 'sample') =>
      (await (kind === 'ping' ? testWebhook : sendWebhookSample)({ path, throwOnError: true })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: [{ _id: 'listDeliveries' }] }),
  });
  return {
    /** What is under way. */
    runs: isPending ? variables : null,
    result: isPending ? undefined : data,
    error,
    ping: () => mutate('ping'),
    sample: () => mutate('sample'),
    forget: reset,
  };
}
