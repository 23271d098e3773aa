import { Center, Loader, Text } from '@mantine/core';
import { common } from '../strings/common.ts';
import { QueryProblem } from './problem.tsx';

export function Loading() {
  return (
    <Center p="xl">
      <Loader aria-label={common.loading} role="status" />
    </Center>
  );
}

/** That a query is on its way, or why it has failed. */
export function ToCome({ query }: { query: { isPending: boolean; error: unknown; refetch: () => Promise<unknown> } }) {
  return query.isPending ? <Text role="status">{common.loading}</Text> : <QueryProblem query={query} />;
}
