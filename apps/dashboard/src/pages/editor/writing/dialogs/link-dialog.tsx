import { Button, Group, Radio, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/react';
import { useState } from 'react';
import { listBlogsOptions } from '../../../../generated/@tanstack/react-query.gen.ts';
import { Dialog } from '../../../../parts/dialogs/dialog.tsx';
import { TextInput } from '../../../../parts/forms/inputs.tsx';
import { PostState } from '../../../../parts/posts/post-state.tsx';
import { QueryProblem } from '../../../../parts/problem.tsx';
import { useProject } from '../../../../parts/project.tsx';
import { editor as strings } from '../../../../strings/editor.ts';
import { linkAt, removeLink, setLink } from '../commands.ts';
import { readAddress } from './read-address.ts';

const text = strings.link;
const SHOWN_POSTS = 8;

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
          <ChoosePost blogId={props.blogId} onChoose={apply} />
        ) : (
          <Address current={isAddress ? current : ''} onChoose={(href) => apply(href, href)} />
        )}
      </Stack>
    </Dialog>
  );
}

function ChoosePost({ blogId, onChoose }: { blogId: string; onChoose: (href: string, words: string) => void }) {
  const { id: projectId } = useProject();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const [slug, setSlug] = useState<string | null>(null);
  const list = useQuery({
    ...listBlogsOptions({ path: { projectId }, query: { limit: SHOWN_POSTS, ...(q !== '' && { q }) } }),
    placeholderData: keepPreviousData,
  });
  const posts = list.data?.items.filter(({ id }) => id !== blogId) ?? [];
  const chosen = posts.find((post) => post.slug === slug);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen) onChoose(`[INTERNAL:${chosen.slug}]`, chosen.title);
      }}
    >
      <Stack>
        <TextInput
          type="search"
          label={text.search}
          value={typed}
          maxLength={200}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
        <QueryProblem query={list} />
        <Radio.Group aria-label={text.toPost} value={slug ?? ''} onChange={setSlug}>
          <Stack gap="xs" role="presentation">
            {posts.map((post) => (
              <Radio
                key={post.id}
                value={post.slug}
                label={
                  <>
                    {post.title} <PostState post={post} />
                  </>
                }
                description={post.state === 'published' ? undefined : text.later}
              />
            ))}
          </Stack>
        </Radio.Group>
        {list.data && posts.length === 0 && <Text size="sm">{text.none}</Text>}
        <Group justify="flex-end">
          <Button type="submit" disabled={chosen === undefined}>
            {text.apply}
          </Button>
        </Group>
      </Stack>
    </form>
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
