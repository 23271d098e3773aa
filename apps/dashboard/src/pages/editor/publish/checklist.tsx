import { Button, Text } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useMemo } from 'react';
import { posts } from '../../../strings/posts.ts';
import { publishSheet as text } from '../../../strings/writing/publish-sheet.ts';
import { parseHtml } from '../document/elements.ts';
import { linkedSlugs } from '../preview/reader-html.ts';
import { useLinkedPosts } from '../preview/use-linked-posts.ts';
import { checksOf, type Check } from './checks.ts';
import styles from './publish.module.css';

/** The field of the post where each can be put right. */
const FIELDS: Readonly<Record<Check['name'], string>> = {
  title: 'title',
  content: 'content',
  alt: 'content',
  description: 'meta_description',
  image: 'featured_image_url',
  links: 'content',
};

/** What is worth a look before the post goes live. */
export function Checklist(props: {
  title: string;
  html: string;
  description: string;
  image: string | null;
  onFix: (field: string) => void;
}) {
  const { html } = props;
  const { hasContent, imagesWithoutAlt, slugs } = useMemo(() => {
    const root = parseHtml(html);
    return {
      hasContent: root.textContent.trim() !== '' || root.querySelector('img, iframe, video, audio') !== null,
      imagesWithoutAlt: root.querySelectorAll('img:not([alt])').length,
      slugs: linkedSlugs(html),
    };
  }, [html]);
  const linked = useLinkedPosts(slugs);
  const checks = checksOf({
    ...props,
    untitled: posts.newPostTitle,
    hasContent,
    imagesWithoutAlt,
    unpublishedLinks: [...linked.values()].filter(({ state }) => state !== 'published').length,
  });
  return (
    <ul className={styles['list']} aria-label={text.checklist}>
      {checks.length === 0 && (
        <li>
          <CircleCheck className={styles['good'] ?? ''} />
          <span>{text.ready}</span>
        </li>
      )}
      {checks.map(({ name, count }) => {
        const said = text.checks[name];
        const words = typeof said === 'string' ? said : said(count);
        return (
          <li key={name}>
            <CircleAlert className={styles['warn'] ?? ''} />
            <Text size="sm" flex={1}>
              {words}
            </Text>
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={text.fixOf(words)}
              onClick={() => props.onFix(FIELDS[name])}
            >
              {text.fix}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
