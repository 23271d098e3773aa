import { Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyText } from '../copy-field.tsx';
import scrolling from './scrolling-tabs.module.css';

const KEY = 'blog-content.code-tab';

interface CodeFile {
  /** The path of its file, where it has one. */
  readonly file?: string;
  readonly code: string;
}

export interface Snippet extends CodeFile {
  readonly name: string;
  /** Where it belongs. */
  readonly note?: string;
  /** The other files that it takes. */
  readonly more?: readonly CodeFile[];
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
  /** Longer code scrolls. */
  codeHeight?: number;
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
      <Tabs.List className={scrolling['list'] ?? ''}>
        {snippets.map(({ name }) => (
          <Tabs.Tab key={name} value={tabOf(name)}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map((snippet, index) => (
        <Tabs.Panel key={snippet.name} value={tabOf(snippet.name)} pt="xs">
          <Stack gap="sm">
            {filesOf(snippet).map(({ file, code }, number) => {
              const called = file === undefined ? nameOf(snippet.name) : `${nameOf(snippet.name)}: ${file}`;
              return (
                <div key={file ?? ''}>
                  <Group justify="space-between" mb={4} gap="xs">
                    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                      {file === undefined ? snippet.note : <Code>{file}</Code>}
                    </Text>
                    <CopyText value={filesOf(copied[index] ?? snippet)[number]?.code ?? ''} what={called} />
                  </Group>
                  <Code block tabIndex={0} aria-label={called} role="region" mah={props.codeHeight}>
                    {code}
                  </Code>
                </div>
              );
            })}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const filesOf = (snippet: Snippet): readonly CodeFile[] => [snippet, ...(snippet.more ?? [])];

/** A part of an `id`, which holds no spaces. */
const tabOf = (name: string) => name.replaceAll(' ', '-');
