import { Button, Code, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink, PartyPopper, Send } from 'lucide-react';
import { publicPostUrl, usePublicPost } from '../../../api/use-public-post.ts';
import { getRevisionOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Publish } from '../../../generated/types.gen.ts';
import { CopyText } from '../../../parts/copy-field.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { PageButton } from '../../../parts/page-link.tsx';
import { useProject } from '../../../parts/project.tsx';
import { setup } from '../../../strings/sites/setup.ts';
import styles from './guide.module.css';
import type { Setup } from './use-setup.ts';

const text = setup.publish;

export function PublishStep(props: { setup: Setup; onConnect: () => void }) {
  const { post, published, publicKey } = props.setup;
  const { id: projectId } = useProject();
  if (published === null) {
    return (
      <>
        <Text size="sm" c="dimmed">
          {post === null ? text.needsPost : text.text}
        </Text>
        {post !== null && (
          <Group>
            <PageButton
              leftSection={<Send />}
              to="/projects/$projectId/posts/$blogId"
              params={{ projectId, blogId: post.id }}
            >
              {text.action(post.title)}
            </PageButton>
          </Group>
        )}
      </>
    );
  }
  return (
    <>
      {published.live ? (
        <div className={styles['live']}>
          <PartyPopper />
          {text.live(published.blog_title)}
        </div>
      ) : (
        <Text size="sm" c="dimmed">
          {text.noneLive}
        </Text>
      )}
      {published.live &&
        (publicKey === null ? (
          <Group>
            <Text size="sm" c="dimmed">
              {text.noKey}
            </Text>
            <Button size="xs" variant="default" onClick={props.onConnect}>
              {text.toKey}
            </Button>
          </Group>
        ) : (
          <LiveJson publish={published} publicKey={publicKey.public_key} />
        ))}
      <Group>
        <PageButton
          variant="default"
          size="xs"
          to="/projects/$projectId/publishing/$publishId"
          params={{ projectId, publishId: published.id }}
        >
          {text.view}
        </PageButton>
      </Group>
    </>
  );
}

/** The post as sites get it, and where. */
function LiveJson({ publish, publicKey }: { publish: Publish; publicKey: string }) {
  const path = { projectId: publish.project_id, blogId: publish.blog_id, number: publish.revision };
  // The working copy may have another slug, which readers don't have yet.
  const slug = useQuery(getRevisionOptions({ path })).data?.slug;
  const post = usePublicPost(publish.project_id, slug, publicKey);
  if (post.data === undefined) return post.isError ? null : <Loading rows={3} />;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" c="dimmed">
          {text.liveText}
        </Text>
        <Group gap="xs">
          <Button
            component="a"
            size="xs"
            variant="default"
            href={`${publicPostUrl(slug ?? '')}?api_key=${publicKey}`}
            target="_blank"
            rel="noreferrer"
            rightSection={<ExternalLink />}
          >
            {text.openJson}
          </Button>
          <CopyText value={post.data} what={text.jsonOf} />
        </Group>
      </Group>
      <Code block tabIndex={0} role="region" aria-label={text.jsonOf} className={styles['json'] ?? ''}>
        {post.data}
      </Code>
    </div>
  );
}
