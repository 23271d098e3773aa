import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import {
  getPublicKeyOptions,
  listPublishesOptions,
  listWebhooksOptions,
} from '../../generated/@tanstack/react-query.gen.ts';
import { Badge } from '../../parts/looks/badge.tsx';
import { PageButton } from '../../parts/page-link.tsx';
import { useIsOwner, useProject } from '../../parts/project.tsx';
import { home as text } from '../../strings/home.ts';

/** The way to a first published post. It goes away once all three steps are done. */
export function FirstSteps(props: { hasPost: boolean; writing: boolean; onWrite: () => void }) {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const key = useQuery({
    ...getPublicKeyOptions({ path: { projectId } }),
    // 404 says that there is none.
    retry: false,
  });
  const webhooks = useQuery(listWebhooksOptions({ path: { projectId }, query: { limit: 1 } }));
  const publishes = useQuery(listPublishesOptions({ path: { projectId }, query: { limit: 1 } }));
  const noKey = (key.error as unknown) instanceof ApiError && key.error?.status === 404;
  const known = (key.data !== undefined || noKey) && webhooks.data !== undefined && publishes.data !== undefined;
  if (!known) return null;
  const connected = !noKey || webhooks.data.items.length > 0;
  const published = publishes.data.items.length > 0;
  if (props.hasPost && connected && published) return null;
  const { write, connect, publish } = text.steps;
  return (
    <Paper withBorder p="md" component="section" aria-label={text.first}>
      <Stack gap="md">
        <Title order={2} size="h4">
          {text.first}
        </Title>
        <Step number={1} title={write.title} text={write.text} done={props.hasPost}>
          <Button loading={props.writing} onClick={props.onWrite}>
            {write.action}
          </Button>
        </Step>
        <Step number={2} title={connect.title} text={connect.text} done={connected}>
          {isOwner ? (
            <>
              <PageButton variant="default" to="/projects/$projectId/api-access" params={{ projectId }}>
                {connect.action}
              </PageButton>
              <PageButton variant="default" to="/projects/$projectId/webhooks" params={{ projectId }}>
                {connect.other}
              </PageButton>
            </>
          ) : (
            <Text size="sm">{connect.editor}</Text>
          )}
        </Step>
        <Step number={3} title={publish.title} text={publish.text} done={published}>
          {props.hasPost && (
            <PageButton variant="default" to="/projects/$projectId/posts" params={{ projectId }}>
              {publish.action}
            </PageButton>
          )}
        </Step>
      </Stack>
    </Paper>
  );
}

function Step(props: { number: number; title: string; text: string; done: boolean; children: ReactNode }) {
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>{text.step(props.number, props.title)}</Text>
        {props.done && <Badge>{text.done}</Badge>}
      </Group>
      {!props.done && (
        <>
          <Text size="sm" mb="xs">
            {props.text}
          </Text>
          <Group gap="xs">{props.children}</Group>
        </>
      )}
    </div>
  );
}
