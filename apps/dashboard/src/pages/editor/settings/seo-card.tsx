import { Paper, Text } from '@mantine/core';
import { editor as strings } from '../../../strings/editor.ts';
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
