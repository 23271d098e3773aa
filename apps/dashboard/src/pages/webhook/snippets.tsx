import { Stack, Text, Title } from '@mantine/core';
// Docs are of no package; the tests of that page run these functions.
// eslint-disable-next-line @nx/enforce-module-boundaries
import page from '../../../../../docs/webhooks.md?raw';
import { CodeTabs } from '../../parts/looks/code-tabs.tsx';
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
      <CodeTabs snippets={snippets} nameOf={text.of} />
    </Stack>
  );
}
