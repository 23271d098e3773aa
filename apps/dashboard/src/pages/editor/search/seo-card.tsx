import { Group, Paper, Stack, Text } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { editor as strings } from '../../../strings/editor.ts';
import { sharing } from '../../../strings/writing/extra-fields.ts';
import type { ImageSize, SharingCheck } from './check-sharing.ts';
import styles from './seo-card.module.css';

const text = strings.settings;

/** About what a search engine shows of the post. */
export function SeoCard(props: { title: string; description: string; address: string; hasSite: boolean }) {
  return (
    <div role="group" aria-label={text.seo}>
      <Text size="sm" fw={500} mb={4}>
        {text.seo}
      </Text>
      <Paper withBorder p="sm">
        <Text size="xs" className={styles['line'] ?? ''}>
          {props.address}
        </Text>
        <Text c="var(--mantine-color-anchor)" className={styles['line'] ?? ''}>
          {props.title}
        </Text>
        <Text size="sm" lineClamp={2}>
          {props.description}
        </Text>
      </Paper>
      {!props.hasSite && (
        <Text size="xs" mt={4}>
          {text.seoNoSite}
        </Text>
      )}
    </div>
  );
}

/** About what chats and social networks show of a link to the post. */
export function SharedCard(props: {
  title: string;
  description: string;
  image: string | null;
  address: string;
  onImage: (image: string, size: ImageSize) => void;
}) {
  const { image } = props;
  return (
    <div role="group" aria-label={sharing.preview}>
      <Text size="sm" fw={500} mb={4}>
        {sharing.preview}
      </Text>
      <Paper withBorder className={styles['shared'] ?? ''}>
        {image !== null && (
          <img
            src={image}
            alt=""
            className={styles['picture'] ?? ''}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              props.onImage(image, { width, height })
            }
          />
        )}
        <div className={styles['words'] ?? ''}>
          <Text size="xs" className={styles['line'] ?? ''}>
            {URL.canParse(props.address) ? new URL(props.address).host : props.address}
          </Text>
          <Text fw={600} lineClamp={2}>
            {props.title}
          </Text>
          <Text size="sm" lineClamp={2}>
            {props.description}
          </Text>
        </div>
      </Paper>
    </div>
  );
}

/** What an author may not expect of both previews. */
export function SharingChecks({ checks }: { checks: readonly SharingCheck[] }) {
  const found = checks.map((check) => [check.name, sayCheck(check)] as const);
  return (
    <Stack gap={4} role="status">
      {found.length === 0 && (
        <Line icon={<CircleCheck className={styles['good'] ?? ''} />} said={sharing.checks.none} />
      )}
      {found.map(([name, said]) => (
        <Line key={name} icon={<CircleAlert className={styles['warn'] ?? ''} />} said={said} />
      ))}
    </Stack>
  );
}

function Line({ icon, said }: { icon: ReactNode; said: string }) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      {icon}
      <Text size="xs">{said}</Text>
    </Group>
  );
}

function sayCheck(check: SharingCheck): string {
  const { checks } = sharing;
  switch (check.name) {
    case 'elsewhere':
      return checks.elsewhere(check.host);
    case 'longTitle':
    case 'longDescription':
      return checks[check.name](check.length);
    case 'smallImage':
      return checks.smallImage(check.width, check.height);
    case 'hidden':
    case 'noDescription':
    case 'noImage':
    case 'insecureImage':
      return checks[check.name];
  }
}
