import { Stack } from '@mantine/core';
import { useIsOwner, useProject } from '../../parts/project.tsx';
import { SettingsFrame } from '../../parts/settings/settings-frame.tsx';
import { settings as text } from '../../strings/settings.ts';
import { ProjectForm } from './project-form.tsx';
import { Usage } from './usage/usage.tsx';

export function Page() {
  const project = useProject();
  const isOwner = useIsOwner();
  return (
    <SettingsFrame title={text.general}>
      <Stack maw={640} gap="lg">
        {isOwner ? (
          <ProjectForm project={project} />
        ) : (
          <dl style={{ margin: 0, overflowWrap: 'anywhere' }}>
            <dt>{text.name}</dt>
            <dd>{project.name}</dd>
            <dt>{text.siteUrl}</dt>
            <dd>{project.site_url ?? text.noSiteUrl}</dd>
          </dl>
        )}
        <Usage />
      </Stack>
    </SettingsFrame>
  );
}
