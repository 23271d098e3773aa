import { Text } from '@mantine/core';
import { CodeTabs } from '../../parts/looks/code-tabs.tsx';
import { Section } from '../../parts/section.tsx';
import { apiAccess as text } from '../../strings/sites/api-access.ts';
import { masked, snippets } from './snippets.ts';

/** What is copied holds the key; what is shown only while the key is revealed. */
export function Snippets({ publicKey, revealed }: { publicKey: string; revealed: boolean }) {
  const { origin } = window.location;
  const copied = snippets(origin, publicKey);
  const shown = revealed ? copied : snippets(origin, masked(publicKey));
  return (
    <Section title={text.snippets}>
      <Text size="sm" c="dimmed">
        {text.snippetsText}
      </Text>
      <CodeTabs snippets={shown} copied={copied} nameOf={text.snippetOf} remembers />
    </Section>
  );
}
