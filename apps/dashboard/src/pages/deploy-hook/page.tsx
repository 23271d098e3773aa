import { Text } from '@mantine/core';
import { useDeployHook } from '../../parts/deliveries/use-deploy-hook.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ToCome } from '../../parts/loading.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { OwnersOnly, useIsOwner, useProject } from '../../parts/project.tsx';
import { deployHook as text } from '../../strings/sites/deploy-hook.ts';
import { History } from './history.tsx';
import { HookCard } from './hook-card.tsx';
import { HookForm } from './hook-form.tsx';
import { SearchEngines } from './search-engines.tsx';

export function Page() {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const hook = useDeployHook(projectId);
  const { data: saved } = hook;
  return (
    <PageFrame title={text.title}>
      <Text>{text.intro}</Text>
      <ToCome query={hook} />
      {saved === null && <EmptyState title={text.none}>{isOwner ? text.noneText : text.noneEditor}</EmptyState>}
      {saved && <HookCard hook={saved} />}
      {saved !== undefined && (
        <>
          <OwnersOnly>
            <HookForm hook={saved} />
          </OwnersOnly>
          <SearchEngines />
          <History />
        </>
      )}
    </PageFrame>
  );
}
