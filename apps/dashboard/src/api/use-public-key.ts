import { useQuery } from '@tanstack/react-query';
import { orNull } from './or-null.ts';
import { getPublicKeyQueryKey } from '../generated/@tanstack/react-query.gen.ts';
import { getPublicKey } from '../generated/sdk.gen.ts';

/** The project's public key; null where there is none. Always read again: a rotated key must not be copied. */
export function usePublicKey(projectId: string) {
  const path = { projectId };
  const [queryKey] = getPublicKeyQueryKey({ path });
  return useQuery({
    queryKey: [{ ...queryKey, nullWhereNone: true }],
    queryFn: ({ signal }) => orNull(getPublicKey({ path, signal, throwOnError: true })),
    staleTime: 0,
  });
}
