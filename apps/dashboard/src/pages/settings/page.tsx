import { Group, Stack, Text } from '@mantine/core';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageButton } from '../../parts/page-link.tsx';
import { OwnersOnly, useIsOwner, useProject } from '../../parts/project.tsx';
import { Section } from '../../parts/section.tsx';
import { settings as text } from '../../strings/settings.ts';
import { DeleteProject } from './delete-project.tsx';
import { ModelSettings } from './model-settings.tsx';
import { ProjectForm } from './project-form.tsx';

export function Page() {
  const project = useProject();
  const isOwner = useIsOwner();
  return (
    <PageFrame title={text.title}>
      <Stack maw={720}>
        <Section title={text.project}>
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
        </Section>
        <Section title={text.transfer}>
          <Text size="sm">{text.transferText}</Text>
          <Group>
            <PageButton variant="default" to="/projects/$projectId/transfer" params={{ projectId: project.id }}>
              {text.transferOpen}
            </PageButton>
          </Group>
        </Section>
        <OwnersOnly>
          <Section title={text.model}>
            <ModelSettings />
          </Section>
          <Section title={text.delete}>
            <DeleteProject />
          </Section>
        </OwnersOnly>
      </Stack>
    </PageFrame>
  );
}
