import { Stack, Text } from '@mantine/core';
import { useIsOwner } from '../../../parts/project.tsx';
import { SettingsFrame } from '../../../parts/settings/settings-frame.tsx';
import { settings as text } from '../../../strings/settings.ts';
import { ModelSettings } from './model-settings.tsx';

export function Page() {
  const isOwner = useIsOwner();
  return (
    <SettingsFrame title={text.model}>
      {isOwner ? (
        <Stack maw={640}>
          <ModelSettings />
        </Stack>
      ) : (
        <Text>{text.ownersOnly}</Text>
      )}
    </SettingsFrame>
  );
}
