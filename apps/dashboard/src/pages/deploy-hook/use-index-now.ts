import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { getIndexNowQueryKey } from '../../generated/@tanstack/react-query.gen.ts';
import { getIndexNow } from '../../generated/sdk.gen.ts';
import type { IndexNow } from '../../generated/types.gen.ts';

/** No event of the stream tells of pings. */
const LOOK_EVERY_MS = 15_000;

/** IndexNow of a project; null while it is off. */
export function useIndexNow(projectId: string) {
  const path = { projectId };
  const [key] = getIndexNowQueryKey({ path });
  return useQuery(
    queryOptions({
      queryKey: [{ ...key, nullWhereOff: true }],
      queryFn: async ({ signal }): Promise<IndexNow | null> => {
        try {
          return (await getIndexNow({ path, signal, throwOnError: true })).data;
        } catch (error) {
          if (error instanceof ApiError && error.status === 404) return null;
          throw error;
        }
      },
      refetchInterval: ({ state }) => (state.data ? LOOK_EVERY_MS : false),
    }),
  );
}
