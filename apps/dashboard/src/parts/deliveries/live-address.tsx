import { Anchor, Text } from '@mantine/core';
import { deliveries as text } from '../../strings/sites/deliveries.ts';

/** Where a receiver has put the post, if it has said so. */
export function LiveAddress({ url }: { url: string | null }) {
  return (
    url !== null && (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text.live}{' '}
        <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit underline="always">
          {url}
        </Anchor>
      </Text>
    )
  );
}
