import { Stack, Text, Title } from '@mantine/core';
import { CodeTabs } from '../../parts/looks/code-tabs.tsx';
import { apiAccess as text } from '../../strings/sites/api-access.ts';
import { masked, snippets } from './snippets.ts';

/** What is copied holds the key; what is shown only while the key is revealed. */
export function Snippets({ publicKey, revealed }: { publicKey: string; revealed: boolean }) {
  const { origin } = window.location;
  const copied = snippets(origin, publicKey);
  const shown = revealed ? copied : snippets(origin, masked(publicKey));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {text.snippets}
      </Title>
      <Text size="sm">{text.snippetsText}</Text>
      <CodeTabs snippets={shown} copied={copied} nameOf={text.snippetOf} />
    </Stack>
  );
}
