import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listBlogsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { BlogItem } from '../../generated/types.gen.ts';
import { editor as strings } from '../../strings/editor.ts';
import { TextInput } from '../forms/inputs.tsx';
import { LanguageBadge } from '../languages/language-badge.tsx';
import { QueryProblem } from '../problem.tsx';
import { useProject } from '../project.tsx';
import { PostState } from './post-state.tsx';

const text = strings.link;
const SHOWN_POSTS = 8;

/** Searches the project's posts, and chooses one of them. */
export function ChoosePost(props: {
  /** Of the post that is edited, which is left out. */
  blogId: string;
  label: string;
  confirm: string;
  /** What is said of a post that isn’t published yet. */
  unpublished: string;
  onChoose: (post: BlogItem) => void;
}) {
  const { id: projectId } = useProject();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const list = useQuery({
    ...listBlogsOptions({ path: { projectId }, query: { limit: SHOWN_POSTS, ...(q !== '' && { q }) } }),
    placeholderData: keepPreviousData,
  });
  const posts = list.data?.items.filter(({ id }) => id !== props.blogId) ?? [];
  const chosen = posts.find(({ id }) => id === chosenId);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen) props.onChoose(chosen);
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
        <Radio.Group aria-label={props.label} value={chosenId ?? ''} onChange={setChosenId}>
          <Stack gap="xs" role="presentation">
            {posts.map((post) => (
              <Radio
                key={post.id}
                value={post.id}
                label={
                  <>
                    {post.title}
                    <LanguageBadge language={post.language} /> <PostState post={post} />
                  </>
                }
                description={post.state === 'published' ? undefined : props.unpublished}
              />
            ))}
          </Stack>
        </Radio.Group>
        {list.data && posts.length === 0 && <Text size="sm">{text.none}</Text>}
        <Group justify="flex-end">
          <Button type="submit" disabled={chosen === undefined}>
            {props.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
