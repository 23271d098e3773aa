import { Paper, Text } from '@mantine/core';
import { editor as strings } from '../../../strings/editor.ts';
import { sharing } from '../../../strings/writing/extra-fields.ts';
import styles from './seo-card.module.css';

const text = strings.settings;

/** About what a search engine shows of the post. */
export function SeoCard(props: {
  title: string;
  description: string;
  address: string;
  hasSite: boolean;
  isHidden: boolean;
  canonical: string | null;
}) {
  const { isHidden, canonical } = props;
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
      {(isHidden || canonical) && (
        <Text size="xs" mt={4} role="status">
          {isHidden ? sharing.hidden : sharing.elsewhere(hostOf(canonical ?? ''))}
        </Text>
      )}
      {!props.hasSite && (
        <Text size="xs" mt={4}>
          {text.seoNoSite}
        </Text>
      )}
    </div>
  );
}

/** While it is typed it may not be a URL yet. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** About what chats and social networks show of a link to the post. */
export function SharedCard(props: { title: string; description: string; image: string | null; address: string }) {
  return (
    <div role="group" aria-label={sharing.preview}>
      <Text size="sm" fw={500} mb={4}>
        {sharing.preview}
      </Text>
      <Paper withBorder className={styles['shared'] ?? ''}>
        {props.image !== null && <img src={props.image} alt="" className={styles['picture'] ?? ''} />}
        <div className={styles['words'] ?? ''}>
          <Text size="xs" className={styles['line'] ?? ''}>
            {hostOf(props.address)}
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
