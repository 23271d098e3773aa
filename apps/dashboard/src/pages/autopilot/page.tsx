import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Loading } from '../../parts/loading.tsx';
import { getAutopilotOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useIsOwner, useProject } from '../../parts/project.tsx';
import { autopilot as text } from '../../strings/writing/autopilot.ts';
import { Made } from './made.tsx';
import { Queue } from './queue/queue.tsx';
import type { AutopilotSearch } from './search.ts';
import { SettingsForm } from './settings/settings-form.tsx';
import { StatusCard } from './status/status-card.tsx';

export function Page() {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const { tab, result } = useSearch({ from: '/projects/$projectId/autopilot' });
  const navigate = useNavigate({ from: '/projects/$projectId/autopilot' });
  const autopilot = useQuery(getAutopilotOptions({ path: { projectId } }));
  const open = (search: AutopilotSearch) => void navigate({ search, replace: true });
  const opened = tab === 'settings' && !isOwner ? 'queue' : (tab ?? 'queue');
  return (
    <PageFrame title={text.title} description={text.intro}>
      <QueryProblem query={autopilot} />
      {autopilot.isPending && <Loading />}
      {autopilot.data && (
        <StatusCard
          autopilot={autopilot.data}
          onSetUp={() => open({ tab: 'settings' })}
          onFailures={() => open({ tab: 'made', result: 'failed' })}
        />
      )}
      <Tabs
        value={opened}
        onChange={(next) => open(next === 'made' || next === 'settings' ? { tab: next } : {})}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="queue">{text.tabs.queue}</Tabs.Tab>
          <Tabs.Tab value="made">{text.tabs.made}</Tabs.Tab>
          {isOwner && <Tabs.Tab value="settings">{text.tabs.settings}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="queue" pt="md">
          <Queue />
        </Tabs.Panel>
        <Tabs.Panel value="made" pt="md">
          <Made shown={result ?? 'made'} onShow={(next) => open({ tab: 'made', result: next })} />
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
