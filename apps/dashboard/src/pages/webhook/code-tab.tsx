import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Braces, Send } from 'lucide-react';
import { useState } from 'react';
// Docs are of no package; the tests of that page run these functions.
// eslint-disable-next-line @nx/enforce-module-boundaries
import page from '../../../../../docs/webhooks.md?raw';
import { getWebhookSampleOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Integration } from '../../generated/types.gen.ts';
import { Exchange } from '../../parts/deliveries/exchange.tsx';
import { CodeTabs } from '../../parts/looks/code-tabs.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { OwnersOnly } from '../../parts/project.tsx';
import { Section } from '../../parts/section.tsx';
import { webhook as texts } from '../../strings/sites/webhook.ts';
import { receiverSnippets } from './receiver-snippets.ts';
import type { useWebhookTest } from './use-webhook-test.ts';

const snippets = receiverSnippets(page);

/** How a receiver verifies the signature, in several languages, and a sample to try it with. */
export function CodeTab({ webhook, test }: { webhook: Integration; test: ReturnType<typeof useWebhookTest> }) {
  const text = texts.test;
  const [isShown, setIsShown] = useState(false);
  return (
    <Stack gap="lg">
      <Section title={texts.snippets.title}>
        <Text size="sm">
          {texts.snippets.text} <Anchor href="/docs/webhooks">{texts.snippets.guide}</Anchor>
        </Text>
        <CodeTabs snippets={snippets} nameOf={texts.snippets.of} />
      </Section>
      <Section title={text.sampleTitle}>
        <Text size="sm">{text.sampleText}</Text>
        <Group gap="xs">
          <OwnersOnly>
            <Button
              variant="default"
              leftSection={<Send />}
              loading={test.runs === 'sample'}
              disabled={test.runs !== null}
              onClick={test.sample}
            >
              {text.sample}
            </Button>
          </OwnersOnly>
          <Button
            variant="default"
            leftSection={<Braces />}
            aria-expanded={isShown}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? text.hideSample : text.showSample}
          </Button>
        </Group>
        {isShown && <Sample webhook={webhook} />}
      </Section>
    </Stack>
  );
}

function Sample({ webhook: { id: integrationId, project_id: projectId } }: { webhook: Integration }) {
  const sample = useQuery({ ...getWebhookSampleOptions({ path: { projectId, integrationId } }), staleTime: 0 });
  if (sample.error) return <QueryProblem query={sample} />;
  if (!sample.data) return null;
  const { headers, body } = sample.data;
  const request = { headers, body, body_bytes: new TextEncoder().encode(body).length, body_truncated: false };
  return <Exchange request={request} timings={null} />;
}
