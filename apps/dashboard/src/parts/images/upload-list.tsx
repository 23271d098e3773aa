import { Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { images as text } from '../../strings/images.ts';
import type { Uploads } from './use-uploads.ts';

/** How far each upload is, and why one was refused. */
export function UploadList({ uploads: { list, retry, clear } }: { uploads: Uploads }) {
  if (list.length === 0) return null;
  const ended = list.filter(({ status }) => status !== 'waiting' && status !== 'sending').length;
  const said = text.uploadsDone(ended, list.length);
  return (
    <Stack gap="xs" component="section" aria-label={text.uploads}>
      <Text size="sm" role="status">
        {said}
      </Text>
      <Progress value={(ended / list.length) * 100} aria-label={said} />
      <List size="sm" style={{ overflowWrap: 'anywhere', maxHeight: 240, overflowY: 'auto' }} tabIndex={0}>
        {list.map(({ key, file, status, reason }) => (
          <List.Item key={key}>
            <b>{file.name}</b> {text.uploadStatus[status]}
            {reason !== null && `: ${reason}`}
          </List.Item>
        ))}
      </List>
      <Group gap="xs">
        {list.some(({ status }) => status === 'failed') && (
          <Button size="xs" variant="default" onClick={retry}>
            {text.tryAgain}
          </Button>
        )}
        {ended > 0 && (
          <Button size="xs" variant="subtle" onClick={clear}>
            {text.clear}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
