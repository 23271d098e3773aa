import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import type { Editor } from '@tiptap/react';
import { useState } from 'react';
import { Dialog } from '../../../../parts/dialogs/dialog.tsx';
import { TextInput } from '../../../../parts/forms/inputs.tsx';
import { ChoosePost } from '../../../../parts/posts/choose-post.tsx';
import { editor as strings } from '../../../../strings/editor.ts';
import { linkAt, removeLink, setLink } from '../commands.ts';
import { readAddress } from './read-address.ts';

const text = strings.link;

/** Links the selection to a post of the project, or to an address. */
export function LinkDialog(props: { editor: Editor; blogId: string; toPost: boolean; onClose: () => void }) {
  const { editor, onClose } = props;
  const current = linkAt(editor);
  const isAddress = current !== null && !/^\[INTERNAL:/i.test(current);
  const [kind, setKind] = useState<'post' | 'address'>(isAddress && !props.toPost ? 'address' : 'post');
  const close = () => {
    onClose();
    editor.commands.focus();
  };
  const apply = (href: string, words: string) => {
    setLink(editor, href, words);
    close();
  };
  return (
    <Dialog opened onClose={close} title={text.title}>
      <Stack>
        {current !== null && (
          <Group justify="space-between">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {text.current} <code>{current}</code>
            </Text>
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                removeLink(editor);
                close();
              }}
            >
              {text.remove}
            </Button>
          </Group>
        )}
        <SegmentedControl
          fullWidth
          aria-label={text.title}
          value={kind}
          onChange={(value) => setKind(value)}
          data={[
            { value: 'post', label: text.toPost },
            { value: 'address', label: text.toAddress },
          ]}
        />
        {kind === 'post' ? (
          <ChoosePost
            blogId={props.blogId}
            label={text.toPost}
            confirm={text.apply}
            unpublished={text.later}
            onChoose={({ slug, title }) => apply(`[INTERNAL:${slug}]`, title)}
          />
        ) : (
          <Address current={isAddress ? current : ''} onChoose={(href) => apply(href, href)} />
        )}
      </Stack>
    </Dialog>
  );
}

function Address({ current, onChoose }: { current: string; onChoose: (href: string) => void }) {
  const [typed, setTyped] = useState(current);
  const [refused, setRefused] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const href = readAddress(typed);
        if (href === null) setRefused(true);
        else onChoose(href);
      }}
    >
      <Stack>
        <TextInput
          label={text.address}
          description={text.addressHint}
          value={typed}
          maxLength={2000}
          error={refused && text.addressRefused}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setRefused(false);
          }}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={typed.trim() === ''}>
            {text.apply}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
