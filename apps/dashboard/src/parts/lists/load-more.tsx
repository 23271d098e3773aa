import { Button, Group } from '@mantine/core';
import { common } from '../../strings/common.ts';

/** The button below a list that has more. */
export function LoadMore({
  list,
}: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  if (!list.hasNextPage) return null;
  return (
    <Group>
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {common.loadMore}
      </Button>
    </Group>
  );
}
