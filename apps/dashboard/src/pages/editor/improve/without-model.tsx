import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getGenerationSettingsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { PageLink } from '../../../parts/page-link.tsx';
import { useIsOwner, useProject } from '../../../parts/project.tsx';
import { editor as strings } from '../../../strings/editor.ts';

/** Whether no model is set up. Only owners see which model writes. */
export function useIsOffline(): boolean {
  const { id: projectId } = useProject();
  const settings = useQuery({ ...getGenerationSettingsOptions({ path: { projectId } }), enabled: useIsOwner() });
  return settings.data?.writer === 'offline';
}

/** What there is no model for, and where one is set up. */
export function WithoutModel({ children }: { children: string }) {
  const { id: projectId } = useProject();
  return (
    <Text size="sm">
      {children}{' '}
      <PageLink size="sm" underline="always" to="/projects/$projectId/settings" params={{ projectId }}>
        {strings.improve.toModel}
      </PageLink>
    </Text>
  );
}
