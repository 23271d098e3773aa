import { Code, Group, Stack, Tabs, Text, Title } from '@mantine/core';
// Docs are of no package; the tests of that page run these functions.
// eslint-disable-next-line @nx/enforce-module-boundaries
import page from '../../../../../docs/webhooks.md?raw';
import { CopyText } from '../../parts/copy-field.tsx';
import { webhook } from '../../strings/sites/webhooks.ts';
import { receiverSnippets } from './receiver-snippets.ts';

const text = webhook.snippets;
const snippets = receiverSnippets(page);

/** How a receiver verifies the signature, in several languages. */
export function Snippets() {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {text.title}
      </Title>
      <Text size="sm">{text.text}</Text>
      <Tabs defaultValue={snippets[0]?.language} keepMounted={false}>
        <Tabs.List>
          {snippets.map(({ language }) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ language, note, code }) => (
          <Tabs.Panel key={language} value={language} pt="xs">
            <Group justify="space-between" mb={4}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {note}
              </Text>
              <CopyText value={code} what={text.of(language)} />
            </Group>
            <Code block tabIndex={0} aria-label={text.of(language)} role="region">
              {code}
            </Code>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
