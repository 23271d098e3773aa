import { Code, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { CopyText } from '../../parts/copy-field.tsx';
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
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List>
          {shown.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(({ name, code }, index) => (
          <Tabs.Panel key={name} value={name} pt="xs">
            <Group justify="flex-end" mb={4}>
              <CopyText value={copied[index]?.code ?? ''} what={text.snippetOf(name)} />
            </Group>
            <Code block tabIndex={0} aria-label={text.snippetOf(name)} role="region">
              {code}
            </Code>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
