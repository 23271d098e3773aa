import { List, Stack, Text, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { memo, useEffect, useMemo, useState } from 'react';
import type { BlogItem } from '../../../generated/types.gen.ts';
import { Badge } from '../../../parts/looks/badge.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { useProject } from '../../../parts/project.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import type { LatestContent } from '../saving/latest-content.ts';
import { escapeText, HtmlFrame } from './html-frame.tsx';
import { linkedSlugs, readerHtml } from './reader-html.ts';
import { useLinkedPosts } from './use-linked-posts.ts';

const AFTER_MS = 500;

/**
 * The post as readers get it: of what is stored, because readers get nothing else; and where its links to other posts
 * lead. It is redrawn when typing pauses, and not on each save, which would disturb people who keep typing.
 */
export const PreviewPanel = memo(function PreviewPanel(props: {
  blogId: string;
  hero: string | null;
  title: string;
  content: LatestContent;
  maxWidth: string;
}) {
  const { site_url: siteUrl } = useProject();
  const html = useResting(props.content);
  const slugs = useMemo(() => linkedSlugs(html), [html]);
  const linked = useLinkedPosts(slugs);
  const { hero } = props;
  const posts = new Map(
    [...linked]
      // A link to the post itself is none.
      .filter(([, { id }]) => id !== props.blogId)
      .map(([slug, { title, state }]) => [slug, { title, isPublished: state === 'published' }]),
  );
  const shown = `<h1>${escapeText(props.title)}</h1>${hero === null ? '' : `<p><img src="${escapeText(hero).replaceAll('"', '&quot;')}" alt=""></p>`}${readerHtml(html, { posts, siteUrl, hero })}`;
  return (
    <Stack gap="sm">
      <div style={{ width: '100%', maxWidth: props.maxWidth, marginInline: 'auto' }}>
        <HtmlFrame title={strings.preview.frame} html={shown} height="60vh" />
      </div>
      <Text size="xs" c="dimmed">
        {strings.preview.note}
      </Text>
      <LinkedPosts blogId={props.blogId} slugs={slugs} posts={linked} />
    </Stack>
  );
});

/** What is stored of the content, whenever typing rests. */
function useResting(content: LatestContent): string {
  const [html, setHtml] = useState(content.saved().stored);
  const look = useDebouncedCallback(() => setHtml(content.saved().stored), { delay: AFTER_MS });
  useEffect(() => content.subscribe(look), [content, look]);
  return html;
}

const SHOWN_LINKS = 30;

function LinkedPosts(props: { blogId: string; slugs: readonly string[]; posts: ReadonlyMap<string, BlogItem> }) {
  const { id: projectId } = useProject();
  const text = strings.link;
  return (
    <section aria-label={text.listTitle}>
      <Title order={2} size="h5">
        {text.listTitle}
      </Title>
      {props.slugs.length === 0 && <Text size="sm">{text.listNone}</Text>}
      <List size="sm">
        {props.slugs.slice(0, SHOWN_LINKS).map((slug) => {
          const post = props.posts.get(slug);
          return (
            <List.Item key={slug}>
              {post === undefined ? (
                <code>{slug}</code>
              ) : (
                <PageLink to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId: post.id }}>
                  {post.title}
                </PageLink>
              )}{' '}
              <Badge>{stateOf(post, props.blogId)}</Badge>
            </List.Item>
          );
        })}
      </List>
      {props.slugs.length > SHOWN_LINKS && <Text size="sm">{text.moreLinks(props.slugs.length - SHOWN_LINKS)}</Text>}
    </section>
  );
}

function stateOf(post: BlogItem | undefined, blogId: string): string {
  const text = strings.link;
  if (post === undefined) return text.unknown;
  if (post.id === blogId) return text.here;
  return post.state === 'published' ? text.published : text.later;
}
