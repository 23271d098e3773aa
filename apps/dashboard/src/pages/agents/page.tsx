import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { CodeTabs } from '../../parts/looks/code-tabs.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { useIsOwner } from '../../parts/project.tsx';
import { agents as text } from '../../strings/agents.ts';
import { AgentKeys } from './agent-keys.tsx';
import { MakeKeyDialog } from './make-key-dialog.tsx';
import { ANY_KEY, mcpClients } from './mcp-clients.ts';

export function Page() {
  const isOwner = useIsOwner();
  const [making, setMaking] = useState(false);
  /** The key made last on this visit; it is nowhere else. */
  const [made, setMade] = useState<string | null>(null);
  return (
    <PageFrame title={text.title} actions={isOwner && <Button onClick={() => setMaking(true)}>{text.make}</Button>}>
      <Text>{text.intro}</Text>
      {isOwner ? <AgentKeys onMake={() => setMaking(true)} /> : <Text>{text.editor}</Text>}
      <Connect made={made} />
      {making && <MakeKeyDialog onMade={setMade} onClose={() => setMaking(false)} />}
    </PageFrame>
  );
}

/** What is copied holds a key that was just made; what is shown never does. */
function Connect({ made }: { made: string | null }) {
  const { origin } = window.location;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {text.connect}
      </Title>
      <Text size="sm">{made === null ? text.connectText : text.connectTextNew}</Text>
      <CodeTabs
        snippets={mcpClients(origin, ANY_KEY)}
        copied={mcpClients(origin, made ?? ANY_KEY)}
        nameOf={text.setUpOf}
      />
      <Text size="sm" c="dimmed">
        {text.tools}
      </Text>
    </Stack>
  );
}
