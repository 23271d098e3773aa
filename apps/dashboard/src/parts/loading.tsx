import { Center, Loader } from '@mantine/core';
import { common } from '../strings/common.ts';

export function Loading() {
  return (
    <Center p="xl">
      <Loader aria-label={common.loading} role="status" />
    </Center>
  );
}
