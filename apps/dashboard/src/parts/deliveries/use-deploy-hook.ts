import { queryOptions, useQuery } from '@tanstack/react-query';
import { orNull } from '../../api/or-null.ts';
import { getDeployHookQueryKey } from '../../generated/@tanstack/react-query.gen.ts';
import { getDeployHook } from '../../generated/sdk.gen.ts';

/** A project’s deploy hook; null where there is none. */
export function deployHookOptions(projectId: string) {
  const path = { projectId };
  const [key] = getDeployHookQueryKey({ path });
  return queryOptions({
    queryKey: [{ ...key, nullWhereNone: true }],
    queryFn: ({ signal }) => orNull(getDeployHook({ path, signal, throwOnError: true })),
  });
}

export const useDeployHook = (projectId: string) => useQuery(deployHookOptions(projectId));
