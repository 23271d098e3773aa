import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { Fragment } from 'react';
import {
  getAutopilotOptions,
  getGenerationSettingsOptions,
  listDeployHookRequestsOptions,
  listPublishesOptions,
  listSchedulesOptions,
  listWebhooksOptions,
} from '../../generated/@tanstack/react-query.gen.ts';
import { Notice } from '../../parts/looks/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { useIsOwner, useProject } from '../../parts/project.tsx';
import { home } from '../../strings/home.ts';
import { AttentionRow } from './attention-row.tsx';
import styles from './home.module.css';
import { byKind, whatNeedsAttention, type Attention } from './what-needs-attention.ts';

const text = home.attention;
const LOOKED_AT = 50;

/** What needs attention, each with a button that leads to the fix. */
export function AttentionList({ isNew }: { isNew: boolean }) {
  const path = { projectId: useProject().id };
  const query = { limit: LOOKED_AT };
  const webhooks = useQuery(listWebhooksOptions({ path, query: { limit: 100 } }));
  const publishes = useQuery(listPublishesOptions({ path, query }));
  const hook = useQuery({ ...listDeployHookRequestsOptions({ path, query: { limit: 10 } }), retry: false });
  const autopilot = useQuery(getAutopilotOptions({ path }));
  const schedules = useQuery(listSchedulesOptions({ path, query }));
  const generation = useQuery({ ...getGenerationSettingsOptions({ path }), enabled: useIsOwner() });
  const found = whatNeedsAttention(
    {
      webhooks: webhooks.data?.items,
      publishes: publishes.data?.items,
      hookRequests: hook.data?.items,
      autopilot: autopilot.data,
      schedules: schedules.data?.items,
      generation: generation.data,
    },
    Date.now(),
  );
  const all = [webhooks, publishes, autopilot, schedules];
  const missing = all.some(({ isError }) => isError);
  const read = all.every(({ isPending }) => !isPending);
  // A project that has not begun has nothing to be caught up with.
  if (found.length === 0 && !missing && (isNew || !read)) return null;
  return (
    <section aria-label={text.title} className={styles['section']}>
      <div className={styles['sectionHead']}>
        <Title order={2} size="h4">
          {text.title}
        </Title>
        {found.length > 0 && <span className={styles['number']}>{found.length}</span>}
      </div>
      {missing && (
        <Notice kind="warning" role="group">
          {text.notSeen}
        </Notice>
      )}
      {!missing && found.length === 0 && (
        <Paper withBorder className={styles['calm']}>
          <CircleCheck />
          <div>
            <Text fw={500}>{text.allWell}</Text>
            <Text size="xs" c="dimmed">
              {text.allWellText}
            </Text>
          </div>
        </Paper>
      )}
      {found.length > 0 && (
        <Paper withBorder component="ul" className={styles['rows']}>
          {byKind(found).map(({ kind, shown, more }) => (
            <Fragment key={kind}>
              {shown.map((each) => (
                <AttentionRow key={JSON.stringify(each)} attention={each} />
              ))}
              {more > 0 && <More kind={kind} number={more} />}
            </Fragment>
          ))}
        </Paper>
      )}
    </section>
  );
}

/** How many more of a kind there are, and where all of them are. */
function More({ kind, number }: { kind: Attention['kind']; number: number }) {
  const params = { projectId: useProject().id };
  const links = {
    webhook: linkOptions({ to: '/projects/$projectId/webhooks', params }),
    resends: linkOptions({ to: '/projects/$projectId/webhooks', params }),
    paused: linkOptions({ to: '/projects/$projectId/webhooks', params }),
    post: linkOptions({ to: '/projects/$projectId/publishing', params, search: { outcome: 'failed' } }),
    late: linkOptions({ to: '/projects/$projectId/calendar', params }),
    review: linkOptions({ to: '/projects/$projectId/calendar', params }),
  };
  // Of the other kinds there is one at most.
  if (!(kind in links)) return null;
  return (
    <li className={styles['row']}>
      <Text size="sm">
        {text.more(number)}{' '}
        <PageLink underline="always" {...links[kind as keyof typeof links]}>
          {text.toAll[kind]}
        </PageLink>
      </Text>
    </li>
  );
}
