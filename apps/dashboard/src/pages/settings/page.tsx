import { Box } from '@mantine/core';
import { useIsOwner, useProject } from '../../parts/project.tsx';
import { SettingsFrame } from '../../parts/settings/settings-frame.tsx';
import { settings as text } from '../../strings/settings.ts';
import { ProjectForm } from './project-form.tsx';

export function Page() {
  const project = useProject();
  const isOwner = useIsOwner();
  return (
    <SettingsFrame title={text.general}>
      <Box maw={640}>
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
      </Box>
    </SettingsFrame>
  );
}
