import { Code, Group, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyText } from '../copy-field.tsx';

const KEY = 'blog-content.code-tab';

export interface Snippet {
  readonly name: string;
  /** Where it belongs. */
  readonly note?: string;
  readonly code: string;
}

/**
 * Code in several languages or for several programs, a tab each. `copied` is what is copied, where more is shown or
 * less.
 */
export function CodeTabs(props: {
  snippets: readonly Snippet[];
  copied?: readonly Snippet[];
  /** What a snippet is called where it is read out and copied. */
  nameOf: (name: string) => string;
  /** Opens the tab that was chosen last in this browser. */
  remembers?: boolean;
}) {
  const { snippets, copied = snippets, nameOf, remembers = false } = props;
  const [tab, setTab] = useState(() => {
    const last = remembers ? localStorage.getItem(KEY) : null;
    return last !== null && snippets.some(({ name }) => tabOf(name) === last) ? last : tabOf(snippets[0]?.name ?? '');
  });
  const choose = (chosen: string | null) => {
    if (chosen === null) return;
    setTab(chosen);
    if (remembers) localStorage.setItem(KEY, chosen);
  };
  return (
    <Tabs value={tab} onChange={choose} keepMounted={false}>
      <Tabs.List style={{ flexWrap: 'nowrap', overflow: 'auto hidden' }}>
        {snippets.map(({ name }) => (
          <Tabs.Tab key={name} value={tabOf(name)} style={{ flex: 'none' }}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ name, note, code }, index) => (
        <Tabs.Panel key={name} value={tabOf(name)} pt="xs">
          <Group justify="space-between" mb={4} gap="xs">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {note}
            </Text>
            <CopyText value={copied[index]?.code ?? ''} what={nameOf(name)} />
          </Group>
          <Code block tabIndex={0} aria-label={nameOf(name)} role="region">
            {code}
          </Code>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** A part of an `id`, which holds no spaces. */
const tabOf = (name: string) => name.replaceAll(' ', '-');
