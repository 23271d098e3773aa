import { List, Stack, Text, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { memo, useEffect, useMemo, useState } from 'react';
import { LanguageBadge } from '../../../parts/languages/language-badge.tsx';
import { Badge } from '../../../parts/looks/badge.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { useProject } from '../../../parts/project.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import type { LatestContent } from '../saving/latest-content.ts';
import { escapeText, HtmlFrame } from './html-frame.tsx';
import { linkedSlugs, readerHtml } from './reader-html.ts';
import { useLinkedPosts, type Link, type LinkingPost } from './use-linked-posts.ts';

const AFTER_MS = 500;

/**
 * The post as readers get it: of what is stored, because readers get nothing else; and where its links to other posts
 * lead. It is redrawn when typing pauses, and not on each save, which would disturb people who keep typing.
 */
export const PreviewPanel = memo(function PreviewPanel(props: {
  blog: LinkingPost;
  hero: string | null;
  title: string;
  content: LatestContent;
  maxWidth: string;
}) {
  const { site_url: siteUrl } = useProject();
  const html = useResting(props.content);
  const slugs = useMemo(() => linkedSlugs(html), [html]);
  const links = useLinkedPosts(props.blog);
  const { hero } = props;
  const targets = new Map([...links].flatMap(([slug, { leads_to: to }]) => (to === null ? [] : [[slug, to] as const])));
  const shown = `<h1>${escapeText(props.title)}</h1>${hero === null ? '' : `<p><img src="${escapeText(hero).replaceAll('"', '&quot;')}" alt=""></p>`}${readerHtml(html, { targets, siteUrl, hero })}`;
  return (
    <Stack gap="sm">
      <div style={{ width: '100%', maxWidth: props.maxWidth, marginInline: 'auto' }}>
        <HtmlFrame title={strings.preview.frame} html={shown} height="60vh" />
      </div>
      <Text size="xs" c="dimmed">
        {strings.preview.note}
      </Text>
      <LinkedPosts blogId={props.blog.id} slugs={slugs} links={links} />
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

function LinkedPosts(props: { blogId: string; slugs: readonly string[]; links: ReadonlyMap<string, Link> }) {
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
          const link = props.links.get(slug);
          const post = link?.post ?? null;
          const to = link?.leads_to ?? post;
          return (
            <List.Item key={slug}>
              {to === null ? (
                <code>{slug}</code>
              ) : (
                <PageLink to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId: to.blog_id }}>
                  {to.title}
                </PageLink>
              )}
              <LanguageBadge language={to?.language ?? null} /> <Badge>{stateOf(link, props.blogId)}</Badge>
              {post !== null && to !== null && post.blog_id !== to.blog_id && ` ${text.insteadOf(post.title)}`}
            </List.Item>
          );
        })}
      </List>
      {props.slugs.length > SHOWN_LINKS && <Text size="sm">{text.moreLinks(props.slugs.length - SHOWN_LINKS)}</Text>}
    </section>
  );
}

function stateOf(link: Link | undefined, blogId: string): string {
  const text = strings.link;
  if (link === undefined || (link.post === null && link.leads_to === null)) return text.unknown;
  if (link.post?.blog_id === blogId) return text.here;
  return link.leads_to === null ? text.later : text.published;
}
