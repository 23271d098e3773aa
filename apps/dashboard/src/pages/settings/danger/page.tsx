import { Paper, Text, Title } from '@mantine/core';
import { useIsOwner } from '../../../parts/project.tsx';
import { SettingsFrame } from '../../../parts/settings/settings-frame.tsx';
import { settings as text } from '../../../strings/settings.ts';
import { DeleteProject } from './delete-project.tsx';

export function Page() {
  const isOwner = useIsOwner();
  return (
    <SettingsFrame title={text.danger}>
      {isOwner ? (
        <Paper withBorder p="md" maw={640} style={{ borderColor: 'var(--danger)' }}>
          <Title order={2} size="h4" mb="xs">
            {text.delete}
          </Title>
          <DeleteProject />
        </Paper>
      ) : (
        <Text>{text.ownersOnly}</Text>
      )}
    </SettingsFrame>
  );
}
