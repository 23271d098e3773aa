import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, Copy, ExternalLink, LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { getPublishOptions, listPublishesOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Blog } from '../../../generated/types.gen.ts';
import { PageLink } from '../../../parts/page-link.tsx';
import { QueryProblem } from '../../../parts/problem.tsx';
import { useProject } from '../../../parts/project.tsx';
import { publishSheet as text } from '../../../strings/writing/publish-sheet.ts';
import { PublishSteps } from '../../publish/publish-steps.tsx';
import { isUnderWay } from '../../publish/stage.ts';
import { postAddress } from '../settings/post-address.ts';
import { FirstPost } from './first-post.tsx';
import styles from './publish.module.css';
import { TranslationNotes } from './translation-notes.tsx';

/** So often a publish that is under way is looked at, beside the news about it. */
const LOOK_EVERY_MS = 700;

/** How the publish goes, until the post is live everywhere; then where it is. */
export function PublishLive(props: { blog: Blog; title: string; publishId: string; onClose: () => void }) {
  const { blog, publishId } = props;
  const { id: projectId, site_url: siteUrl } = useProject();
  const path = { projectId, publishId };
  const publish = useQuery({
    ...getPublishOptions({ path }),
    refetchInterval: ({ state }) => (state.data === undefined || isUnderWay(state.data)) && LOOK_EVERY_MS,
  });
  const all = useQuery({ ...listPublishesOptions({ path: { projectId }, query: { limit: 2 } }), staleTime: 0 });
  // What was read with an earlier publish can be shown once more before it is read again.
  const isFirst = all.data?.items.length === 1 && all.data.items[0]?.id === publishId;
  /** No site can have it yet: nothing is notified, and the first code that reads posts comes with this one. */
  const isApiOnly = isFirst && publish.data?.deliveries.length === 0 && !isUnderWay(publish.data);
  const isLive = publish.data !== undefined && publish.data.served_at !== null;
  const placed = publish.data?.deliveries.find(({ live_url: url }) => url !== null)?.live_url;
  const url = placed ?? (siteUrl === null ? null : postAddress(siteUrl, blog.slug));
  const status = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone.
  useEffect(() => status.current?.focus(), []);
  return (
    <Stack gap="lg">
      <div className={styles['live']} role="status" ref={status} tabIndex={-1}>
        <span data-waiting={!isLive || undefined}>{isLive ? <Check /> : <LoaderCircle />}</span>
        <div>
          <h3>{isLive ? text.live : text.publishing}</h3>
          <Text size="sm" c="dimmed">
            {isLive ? (isApiOnly ? text.apiText : text.liveText(props.title)) : text.toBeLive}
          </Text>
        </div>
      </div>
      <QueryProblem query={publish} />
      {publish.data && <PublishSteps publish={publish.data} />}
      {url !== null && isLive && (
        <Text size="sm" className={styles['url'] ?? ''}>
          {url}
        </Text>
      )}
      {isLive && <TranslationNotes blog={blog} />}
      {isFirst && isLive && <FirstPost slug={blog.slug} />}
      <Group justify="space-between" className={styles['foot'] ?? ''}>
        <PageLink size="sm" to="/projects/$projectId/publishing/$publishId" params={path}>
          {text.log}
        </PageLink>
        <Group gap="xs">
          {url !== null && isLive && (
            <>
              <CopyButton value={url} timeout={2000}>
                {({ copied, copy }) => (
                  <Button variant="default" leftSection={copied ? <Check /> : <Copy />} onClick={copy}>
                    <span aria-live="polite">{copied ? text.copied : text.copyLink}</span>
                  </Button>
                )}
              </CopyButton>
              {!isApiOnly && (
                <Button
                  component="a"
                  href={url}
                  target="_blank"
                  rel="noopener noreferrer"
                  variant="default"
                  leftSection={<ExternalLink />}
                >
                  {text.open}
                </Button>
              )}
            </>
          )}
          <Button onClick={props.onClose}>{text.done}</Button>
        </Group>
      </Group>
    </Stack>
  );
}
