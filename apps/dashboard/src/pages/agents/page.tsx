import { Anchor, Button, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { CodeTabs } from '../../parts/looks/code-tabs.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { useIsOwner } from '../../parts/project.tsx';
import { Section } from '../../parts/section.tsx';
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
    <PageFrame
      title={text.title}
      description={text.intro}
      actions={
        isOwner && (
          <Button leftSection={<Plus />} onClick={() => setMaking(true)}>
            {text.make}
          </Button>
        )
      }
    >
      {isOwner ? <AgentKeys /> : <Text c="dimmed">{text.editor}</Text>}
      <Connect made={made} />
      {making && <MakeKeyDialog onMade={setMade} onClose={() => setMaking(false)} />}
    </PageFrame>
  );
}

/** What is copied holds a key that was just made; what is shown never does. */
function Connect({ made }: { made: string | null }) {
  const { origin } = window.location;
  return (
    <Section title={text.connect}>
      <Text c="dimmed">
        {made === null ? text.connectText : text.connectTextNew} <Anchor href={text.guide.href}>{text.tools}</Anchor>
      </Text>
      <CodeTabs
        snippets={mcpClients(origin, ANY_KEY)}
        copied={mcpClients(origin, made ?? ANY_KEY)}
        nameOf={text.setUpOf}
      />
    </Section>
  );
}
