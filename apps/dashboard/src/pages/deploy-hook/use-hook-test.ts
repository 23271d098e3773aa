import { useMutation, useQueryClient } from '@tanstack/react-query';
import { testDeployHookMutation } from '../../generated/@tanstack/react-query.gen.ts';

/** Calls the deploy hook once and keeps the result. */
export function useHookTest(projectId: string) {
  const queries = useQueryClient();
  const { mutate, isPending, data, error } = useMutation({
    ...testDeployHookMutation(),
    onSettled: () => queries.invalidateQueries({ queryKey: [{ _id: 'listDeployHookRequests' }] }),
  });
  return { start: () => mutate({ path: { projectId } }), isPending, result: isPending ? undefined : data, error };
}
