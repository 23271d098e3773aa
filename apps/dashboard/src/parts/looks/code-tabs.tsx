import { Code, Group, Tabs, Text } from '@mantine/core';
import { CopyText } from '../copy-field.tsx';

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
}) {
  const { snippets, copied = snippets, nameOf } = props;
  return (
    <Tabs defaultValue={tabOf(snippets[0]?.name ?? '')} keepMounted={false}>
      <Tabs.List>
        {snippets.map(({ name }) => (
          <Tabs.Tab key={name} value={tabOf(name)}>
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
