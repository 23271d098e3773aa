import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { getDeployHookQueryKey } from '../../generated/@tanstack/react-query.gen.ts';
import { getDeployHook } from '../../generated/sdk.gen.ts';
import type { DeployHook } from '../../generated/types.gen.ts';

/**
 * A project’s deploy hook; null where there is none. A 404 as an error would be forgotten whenever it is asked for
 * again, and a form that stands there with it.
 */
export function useDeployHook(projectId: string) {
  const path = { projectId };
  const [key] = getDeployHookQueryKey({ path });
  return useQuery(
    queryOptions({
      queryKey: [{ ...key, nullWhereNone: true }],
      queryFn: async ({ signal }): Promise<DeployHook | null> => {
        try {
          return (await getDeployHook({ path, signal, throwOnError: true })).data;
        } catch (error) {
          if (error instanceof ApiError && error.status === 404) return null;
          throw error;
        }
      },
    }),
  );
}
