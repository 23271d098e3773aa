import { Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getImageUsageOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { formatBytes } from '../../parts/images/format-bytes.ts';
import { useProject } from '../../parts/project.tsx';
import { images as text } from '../../strings/images.ts';
import { howFull } from './how-full.ts';

/** How much of what the project may have is taken. */
export function Quota() {
  const { id: projectId } = useProject();
  const { data } = useQuery(getImageUsageOptions({ path: { projectId } }));
  if (data === undefined) return null;
  const { percent, isNearlyFull } = howFull(data);
  const { images, bytes } = data;
  return (
    <Stack gap={4} component="section" aria-label={text.quota}>
      {isNearlyFull && <Progress value={percent} aria-label={text.quota} color="red" />}
      <Text size="sm" c="dimmed">
        {text.quotaText(images.used, images.allowed, formatBytes(bytes.used), formatBytes(bytes.allowed))}{' '}
        {isNearlyFull && text.quotaNearlyFull}
      </Text>
    </Stack>
  );
}
