import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listBlogsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { scheduleBlog } from '../../generated/sdk.gen.ts';
import { formatDateTime } from '../../parts/dates.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { timeToCome, toLocalInput } from '../../parts/forms/local-time.ts';
import { TimeField } from '../../parts/forms/time-field.tsx';
import { notify } from '../../parts/notify.ts';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { calendar as text } from '../../strings/calendar.ts';

const SHOWN = 8;
const SEARCH_AFTER_MS = 250;
const DAY_MS = 86_400_000;

/** A post that is not scheduled is found, and gets a time. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), SEARCH_AFTER_MS);
  const [blogId, setBlogId] = useState('');
  const [field, setField] = useState(() => toLocalInput(new Date(Date.now() + DAY_MS).toISOString()));
  const posts = useQuery({
    ...listBlogsOptions({
      path: { projectId },
      query: { scheduled: 'false', limit: SHOWN, ...(q === '' ? { state: 'draft' } : { q }) },
    }),
    placeholderData: keepPreviousData,
  });
  const items = posts.data?.items ?? [];
  const chosen = items.find(({ id }) => id === blogId);
  const schedule = useMutation({
    mutationFn: async ({ publishAt, post }: { publishAt: string; post: { id: string; title: string } }) => {
      await scheduleBlog({ path: { projectId, blogId: post.id }, body: { publish_at: publishAt }, throwOnError: true });
      await queries.invalidateQueries({ queryKey: [{ _id: 'listSchedules' }] });
      notify.done(text.scheduled(post.title, formatDateTime(publishAt)));
      onClose();
    },
  });
  return (
    <FormDialog
      title={text.addTitle}
      confirm={text.confirm}
      disabled={chosen === undefined || timeToCome(field) === null}
      sending={schedule}
      names={{ publish_at: text.publishAt }}
      onSubmit={() => {
        const publishAt = timeToCome(field);
        if (publishAt !== null && chosen !== undefined) schedule.mutate({ publishAt, post: chosen });
      }}
      onClose={onClose}
    >
      <Text size="sm">{text.what}</Text>
      <QueryProblem query={posts} />
      <TextInput
        type="search"
        label={text.search}
        placeholder={text.searchHint}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      {posts.data && items.length === 0 && <Text size="sm">{text.noPost}</Text>}
      {items.length > 0 && (
        <Radio.Group label={text.choose} value={blogId} onChange={setBlogId}>
          <Stack gap="xs" mt={4}>
            {items.map(({ id, title }) => (
              <Radio key={id} value={id} label={title} styles={{ label: { overflowWrap: 'anywhere' } }} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <TimeField label={text.publishAt} value={field} onChange={setField} />
    </FormDialog>
  );
}
