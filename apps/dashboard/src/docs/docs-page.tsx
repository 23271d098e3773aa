import { Anchor, List, Text } from '@mantine/core';
import { PageFrame } from '../parts/page-frame.tsx';
import { docs as text } from '../strings/sites/docs.ts';
import { DocsFrame } from './docs-frame.tsx';
import { GuidePage } from './guide-page.tsx';
import { GUIDE_NAMES } from './guide.ts';
import { ReferencePage } from './reference-page.tsx';

/** Which document an address below /docs names. Each link loads the page anew: documents share no state. */
export function DocsPage() {
  const name = window.location.pathname.replace(/^\/docs\/?/, '').replace(/\/$/, '');
  if (name === '') return <ReferencePage />;
  const guide = GUIDE_NAMES.find((one) => one === name);
  if (guide) return <GuidePage name={guide} />;
  return (
    <DocsFrame>
      <PageFrame title={text.notFoundTitle}>
        <Text>{text.notFoundText}</Text>
        <List>
          <List.Item>
            <Anchor href="/docs">{text.reference}</Anchor>
          </List.Item>
          {GUIDE_NAMES.map((one) => (
            <List.Item key={one}>
              <Anchor href={`/docs/${one}`}>{text.names[one]}</Anchor>
            </List.Item>
          ))}
        </List>
      </PageFrame>
    </DocsFrame>
  );
}
