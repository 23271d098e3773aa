import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { listBlogsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { deleteProject } from '../../../generated/sdk.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { TextInput } from '../../../parts/forms/inputs.tsx';
import { notify } from '../../../parts/notify.ts';
import { PageLink } from '../../../parts/page-link.tsx';
import { useProject } from '../../../parts/project.tsx';
import { settings as text } from '../../../strings/settings.ts';

/** Deletes the project when its name was typed; while a post is published, it says what has to be done first. */
export function DeleteProject() {
  const { id: projectId, name } = useProject();
  const reasonId = useId();
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const published = useQuery({
    ...listBlogsOptions({ path: { projectId }, query: { state: 'published', limit: 1 } }),
    staleTime: 0,
  });
  const blocked = (published.data?.items.length ?? 0) > 0;
  const run = async () => {
    await deleteProject({ path: { projectId }, throwOnError: true });
    // Unsaved changes in the forms above are gone with the project.
    await navigate({ to: '/', ignoreBlocker: true });
    await queries.resetQueries({ queryKey: [{ _id: 'listProjects' }] });
    notify.done(text.deleted);
  };
  return (
    <Stack gap="sm">
      <Text size="sm">{text.deleteText}</Text>
      {blocked && (
        <Text size="sm" id={reasonId}>
          {text.deletePublished}{' '}
          <PageLink
            underline="always"
            to="/projects/$projectId/posts"
            params={{ projectId }}
            search={{ show: 'published' }}
          >
            {text.showPublished}
          </PageLink>
        </Text>
      )}
      <Group>
        <Button
          color="red"
          disabled={blocked}
          {...(blocked && { 'aria-describedby': reasonId })}
          onClick={() => setAsking(true)}
        >
          {text.deleteButton}
        </Button>
      </Group>
      {asking && (
        <ConfirmDialog
          opened
          danger
          title={text.deleteTitle(name)}
          confirm={text.deleteConfirm}
          disabled={typed.trim() !== name}
          onConfirm={run}
          onClose={() => {
            setAsking(false);
            setTyped('');
          }}
        >
          <Stack gap="sm">
            <Text size="sm">{text.deleteWarning}</Text>
            <TextInput
              label={text.typeName(name)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
          </Stack>
        </ConfirmDialog>
      )}
    </Stack>
  );
}
