import { Button, Text } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useMemo } from 'react';
import { posts } from '../../../strings/posts.ts';
import { publishSheet as text } from '../../../strings/writing/publish-sheet.ts';
import { parseHtml } from '../document/elements.ts';
import { useLinkedPosts, type Link, type LinkingPost } from '../preview/use-linked-posts.ts';
import type { NotSaved } from '../saving/use-not-saved.ts';
import { checksOf, type Check } from './checks.ts';
import styles from './publish.module.css';

/** The field of the post where each can be put right. */
const FIELDS: Readonly<Record<Exclude<Check['name'], 'unsaved'>, string>> = {
  title: 'title',
  content: 'content',
  alt: 'content',
  description: 'meta_description',
  image: 'featured_image_url',
  links: 'content',
};

/** What is worth a look before the post goes live. */
export function Checklist(props: {
  blog: LinkingPost;
  title: string;
  html: string;
  description: string;
  image: string | null;
  notSaved: readonly NotSaved[];
  onFix: (field: string) => void;
}) {
  const { html } = props;
  const { hasContent, imagesWithoutAlt } = useMemo(() => {
    const root = parseHtml(html);
    return {
      hasContent: root.textContent.trim() !== '' || root.querySelector('img, iframe, video, audio') !== null,
      imagesWithoutAlt: root.querySelectorAll('img:not([alt])').length,
    };
  }, [html]);
  const links = useLinkedPosts(props.blog);
  const isLater = (post: Link['post']) => post !== null && post.blog_id !== props.blog.id;
  const checks = checksOf({
    ...props,
    untitled: posts.newPostTitle,
    hasContent,
    imagesWithoutAlt,
    unpublishedLinks: [...links.values()].filter(({ post, leads_to: to }) => to === null && isLater(post)).length,
  });
  return (
    <ul className={styles['list']} aria-label={text.checklist}>
      {checks.length === 0 && (
        <li>
          <CircleCheck className={styles['good'] ?? ''} />
          <span>{text.ready}</span>
        </li>
      )}
      {checks.map((check) => {
        const words = wordsOf(check);
        const field = check.name === 'unsaved' ? check.field : FIELDS[check.name];
        return (
          <li key={words}>
            <CircleAlert className={styles['warn'] ?? ''} />
            <Text size="sm" flex={1} style={{ overflowWrap: 'anywhere' }}>
              {words}
            </Text>
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={text.fixOf(words)}
              onClick={() => props.onFix(field)}
            >
              {text.fix}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function wordsOf(check: Check): string {
  if (check.name === 'unsaved') return text.unsaved(check.label);
  const said = text.checks[check.name];
  return typeof said === 'string' ? said : said(check.count);
}
