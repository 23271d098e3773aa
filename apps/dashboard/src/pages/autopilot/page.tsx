import { Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Loading } from '../../parts/loading.tsx';
import { getAutopilotOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useIsOwner, useProject } from '../../parts/project.tsx';
import { autopilot as text } from '../../strings/autopilot.ts';
import { Made } from './made.tsx';
import { Queue } from './queue.tsx';
import type { AutopilotSearch } from './search.ts';
import { SettingsForm } from './settings/settings-form.tsx';
import { StatusCard } from './status-card.tsx';

export function Page() {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const { tab } = useSearch({ from: '/projects/$projectId/autopilot' });
  const navigate = useNavigate({ from: '/projects/$projectId/autopilot' });
  const autopilot = useQuery(getAutopilotOptions({ path: { projectId } }));
  const open = (next: string | null) =>
    void navigate({
      search: next === null || next === 'queue' ? {} : { tab: next as NonNullable<AutopilotSearch['tab']> },
      replace: true,
    });
  const opened = tab === 'settings' && !isOwner ? 'queue' : (tab ?? 'queue');
  return (
    <PageFrame title={text.title}>
      <Text>{text.intro}</Text>
      <QueryProblem query={autopilot} />
      {autopilot.isPending && <Loading />}
      {autopilot.data && <StatusCard autopilot={autopilot.data} onSetUp={() => open('settings')} />}
      <Tabs value={opened} onChange={open} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="queue">{text.tabs.queue}</Tabs.Tab>
          <Tabs.Tab value="made">{text.tabs.made}</Tabs.Tab>
          {isOwner && <Tabs.Tab value="settings">{text.tabs.settings}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="queue" pt="md">
          <Queue />
        </Tabs.Panel>
        <Tabs.Panel value="made" pt="md">
          <Made />
        </Tabs.Panel>
        {isOwner && (
          <Tabs.Panel value="settings" pt="md">
            {autopilot.data && <SettingsForm autopilot={autopilot.data} />}
          </Tabs.Panel>
        )}
      </Tabs>
    </PageFrame>
  );
}
