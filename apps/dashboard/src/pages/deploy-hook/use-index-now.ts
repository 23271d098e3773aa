import { queryOptions, useQuery } from '@tanstack/react-query';
import { orNull } from '../../api/or-null.ts';
import { getIndexNowQueryKey } from '../../generated/@tanstack/react-query.gen.ts';
import { getIndexNow } from '../../generated/sdk.gen.ts';

/** No event of the stream tells of pings. */
const LOOK_EVERY_MS = 15_000;

/** IndexNow of a project; null while it is off. */
export function useIndexNow(projectId: string) {
  const path = { projectId };
  const [key] = getIndexNowQueryKey({ path });
  return useQuery(
    queryOptions({
      queryKey: [{ ...key, nullWhereOff: true }],
      queryFn: ({ signal }) => orNull(getIndexNow({ path, signal, throwOnError: true })),
      refetchInterval: ({ state }) => (state.data ? LOOK_EVERY_MS : false),
    }),
  );
}
