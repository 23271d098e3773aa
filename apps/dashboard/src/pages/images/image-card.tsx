import { Text, UnstyledButton } from '@mantine/core';
import type { Image } from '../../generated/types.gen.ts';
import { formatBytes } from '../../parts/images/format-bytes.ts';
import { images as text } from '../../strings/images.ts';

export function ImageCard({ image, onOpen }: { image: Image; onOpen: () => void }) {
  const name = image.name === '' ? text.unnamed : image.name;
  return (
    <div role="listitem" style={{ minWidth: 0 }}>
      <UnstyledButton onClick={onOpen} aria-label={text.open(name)} style={{ display: 'block', width: '100%' }}>
        {/* The button has the image’s name. */}
        <img
          src={image.url}
          alt=""
          loading="lazy"
          style={{
            width: '100%',
            aspectRatio: '4 / 3',
            objectFit: 'contain',
            display: 'block',
            border: '1px solid var(--mantine-color-default-border)',
          }}
        />
      </UnstyledButton>
      <Text size="sm" fw={500} truncate mt={4}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {text.size(image.width, image.height, formatBytes(image.bytes))}
      </Text>
      {image.alt === '' && <Text size="xs">{text.noAlt}</Text>}
      {image.unused_since !== null && <Text size="xs">{text.usedNowhere}</Text>}
    </div>
  );
}
