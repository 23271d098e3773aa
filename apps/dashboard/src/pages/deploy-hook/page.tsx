import { Anchor, Box, Code } from '@mantine/core';
import { Hammer } from 'lucide-react';
import { useDeployHook } from '../../parts/deliveries/use-deploy-hook.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ToCome } from '../../parts/loading.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { OwnersOnly, useIsOwner, useProject } from '../../parts/project.tsx';
import { deployHook as text } from '../../strings/sites/deploy-hook.ts';
import { History } from './history.tsx';
import { HookActions } from './hook-actions.tsx';
import { HookForm } from './hook-form.tsx';
import { SearchEngines } from './search-engines.tsx';
import { HookTested } from './hook-tested.tsx';
import { useHookTest } from './use-hook-test.ts';

export function Page() {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const hook = useDeployHook(projectId);
  const test = useHookTest(projectId);
  const { data: saved } = hook;
  return (
    <PageFrame
      title={text.title}
      state={
        saved && <Badge tone={saved.active ? 'success' : 'neutral'}>{saved.active ? text.active : text.paused}</Badge>
      }
      description={
        <>
          {text.intro}{' '}
          <Anchor href="/docs/quickstart-site" underline="always">
            {text.guide}
          </Anchor>
          {saved && (
            <Box mt="xs">
              <Code style={{ overflowWrap: 'anywhere' }}>{`${saved.method} ${saved.url}`}</Code>
            </Box>
          )}
        </>
      }
      actions={
        saved && (
          <OwnersOnly>
            <HookActions hook={saved} test={test} />
          </OwnersOnly>
        )
      }
    >
      <ToCome query={hook} />
      {saved === null && !isOwner && (
        <EmptyState icon={Hammer} title={text.none}>
          {text.noneEditor}
        </EmptyState>
      )}
      <HookTested test={test} />
      {saved && <History />}
      {saved !== undefined && (
        <>
          <OwnersOnly>
            <HookForm hook={saved} />
          </OwnersOnly>
          <SearchEngines />
        </>
      )}
      {saved === null && <History />}
    </PageFrame>
  );
}
