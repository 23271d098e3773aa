import { List, Text } from '@mantine/core';
import type { Integration, Publish } from '../../generated/types.gen.ts';
import { Notice } from '../../parts/looks/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { webhook as texts } from '../../strings/sites/webhook.ts';

const text = texts.missed;
const SHOWN = 5;

/** Live posts that were published while the webhook was paused, each with the page that can publish it again. */
export function MissedPosts({ webhook, missed }: { webhook: Integration; missed: readonly Publish[] }) {
  const { project_id: projectId, active } = webhook;
  if (missed.length === 0) return null;
  return (
    <Notice kind="warning" role="group" title={text.title(missed.length)}>
      <Text size="sm">{active ? text.text : text.pausedText}</Text>
      <List size="sm">
        {missed.slice(0, SHOWN).map(({ id: publishId, blog_title: title }) => (
          <List.Item key={publishId}>
            <PageLink
              inherit
              underline="always"
              to="/projects/$projectId/publishing/$publishId"
              params={{ projectId, publishId }}
            >
              {title}
            </PageLink>
          </List.Item>
        ))}
      </List>
      {missed.length > SHOWN && (
        <PageLink size="sm" underline="always" to="/projects/$projectId/publishing" params={{ projectId }}>
          {text.more(missed.length - SHOWN)}
        </PageLink>
      )}
    </Notice>
  );
}
