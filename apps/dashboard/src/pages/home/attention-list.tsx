import { Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { linkOptions, type LinkProps } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import {
  getAutopilotOptions,
  listDeployHookRequestsOptions,
  listPublishesOptions,
  listSchedulesOptions,
  listWebhooksOptions,
} from '../../generated/@tanstack/react-query.gen.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { home as text } from '../../strings/home.ts';
import { byKind, whatNeedsAttention, type Attention } from './what-needs-attention.ts';

const LOOKED_AT = 50;

export function AttentionList() {
  const { id: projectId } = useProject();
  const path = { projectId };
  const query = { limit: LOOKED_AT };
  const webhooks = useQuery(listWebhooksOptions({ path, query: { limit: 100 } }));
  const publishes = useQuery(listPublishesOptions({ path, query }));
  const hook = useQuery({ ...listDeployHookRequestsOptions({ path, query: { limit: 10 } }), retry: false });
  const autopilot = useQuery(getAutopilotOptions({ path }));
  const schedules = useQuery(listSchedulesOptions({ path, query }));
  const found = whatNeedsAttention(
    {
      webhooks: webhooks.data?.items,
      publishes: publishes.data?.items,
      hookRequests: hook.data?.items,
      autopilot: autopilot.data,
      schedules: schedules.data?.items,
    },
    Date.now(),
  );
  const all = [webhooks, publishes, autopilot, schedules];
  const missing = all.some(({ isError }) => isError);
  const read = all.every(({ isPending }) => !isPending);
  return (
    <Stack gap="xs" component="section" aria-label={text.attention}>
      <Title order={2} size="h4">
        {text.attention}
      </Title>
      {missing && <Text size="sm">{text.notSeen}</Text>}
      {read && !missing && found.length === 0 && (
        <Text size="sm" c="dimmed">
          {text.allWell}
        </Text>
      )}
      {byKind(found).map(({ kind, shown, more }) => (
        <Fragment key={kind}>
          {shown.map((each) => (
            <Paper key={JSON.stringify(each)} withBorder p="sm">
              <Item attention={each} projectId={projectId} />
            </Paper>
          ))}
          {more > 0 && <More kind={kind} number={more} projectId={projectId} />}
        </Fragment>
      ))}
    </Stack>
  );
}

/** How many more of a kind there are, and where all of them stand. */
function More({ kind, number, projectId }: { kind: Attention['kind']; number: number; projectId: string }) {
  const link = {
    receiver: linkOptions({ to: '/projects/$projectId/webhooks', params: { projectId } }),
    publish: linkOptions({ to: '/projects/$projectId/publishing', params: { projectId } }),
    due: linkOptions({ to: '/projects/$projectId/calendar', params: { projectId } }),
  };
  // There is one deploy hook, and one autopilot.
  if (kind === 'hook' || kind === 'autopilot') return null;
  return (
    <Text size="sm">
      {text.more[kind](number)}{' '}
      <PageLink underline="always" {...link[kind]}>
        {text.toAll[kind]}
      </PageLink>
    </Text>
  );
}

function Item({ attention, projectId }: { attention: Attention; projectId: string }) {
  switch (attention.kind) {
    case 'receiver':
      return (
        <Said
          title={text.failingReceiver(attention.name)}
          link={linkOptions({
            to: '/projects/$projectId/webhooks/$integrationId',
            params: { projectId, integrationId: attention.id },
          })}
        >
          {text.failingSince} <When iso={attention.since} exact />. {attention.reason}
        </Said>
      );
    case 'publish':
      return (
        <Said
          title={text.failedPublish(attention.title)}
          link={linkOptions({
            to: '/projects/$projectId/publishing/$publishId',
            params: { projectId, publishId: attention.id },
          })}
        >
          {text.failedPublishText(attention.receivers.join(', '))}
        </Said>
      );
    case 'hook':
      return (
        <Said
          title={text.failedHook}
          link={linkOptions({ to: '/projects/$projectId/deploy-hook', params: { projectId } })}
        >
          {attention.reason}
        </Said>
      );
    case 'autopilot':
      return (
        <Said
          title={text[attention.status]}
          link={linkOptions({ to: '/projects/$projectId/autopilot', params: { projectId } })}
        >
          {attention.detail}
        </Said>
      );
    case 'due':
      return (
        <Said
          title={text[attention.why](attention.title)}
          link={linkOptions({
            to: '/projects/$projectId/posts/$blogId',
            params: { projectId, blogId: attention.blogId },
          })}
        >
          <When iso={attention.at} />
        </Said>
      );
  }
}

function Said(props: { title: string; link: LinkProps; children: ReactNode }) {
  return (
    <>
      <PageLink fw={600} style={{ overflowWrap: 'anywhere' }} {...props.link}>
        {props.title}
      </PageLink>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {props.children}
      </Text>
    </>
  );
}
