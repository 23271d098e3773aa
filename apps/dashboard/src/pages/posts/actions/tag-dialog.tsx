import { Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { countBlogsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { TextInput } from '../../../parts/forms/inputs.tsx';
import { nameOf } from '../../../parts/posts/delete-soon.ts';
import { useProject } from '../../../parts/project.tsx';
import { posts as strings } from '../../../strings/posts.ts';
import { ProgressOf, useProgress, type AskingProps } from './ask-dialogs.tsx';
import { usePerform } from './use-perform.ts';

const text = strings.bulk;
const MAX_LENGTH = 300;

/** Adds a tag, one that the project has or a new one. */
export function TagDialog({ posts, onClose, onRun }: AskingProps) {
  const { id: projectId } = useProject();
  const perform = usePerform();
  const { finished, onProgress } = useProgress();
  const known = useQuery(countBlogsOptions({ path: { projectId } }));
  const list = useId();
  const [typed, setTyped] = useState('');
  const tag = typed.trim();
  const sending = useMutation({
    mutationFn: () => perform(posts, { action: 'tag', tag }, onProgress),
    onSuccess: onRun,
  });
  return (
    <FormDialog
      title={text.tagTitle(nameOf(posts))}
      confirm={text.tagAdd}
      disabled={tag === ''}
      sending={sending}
      onSubmit={() => sending.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={text.tagLabel}
        list={list}
        autoComplete="off"
        maxLength={MAX_LENGTH}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      <datalist id={list}>
        {known.data?.tags.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {posts.some(({ state }) => state === 'published') && (
        <Text size="sm" c="dimmed">
          {text.tagText}
        </Text>
      )}
      <ProgressOf finished={finished} total={posts.length} />
    </FormDialog>
  );
}
