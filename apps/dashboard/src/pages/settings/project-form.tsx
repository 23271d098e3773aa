import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getProjectOptions, getProjectQueryKey } from '../../generated/@tanstack/react-query.gen.ts';
import { updateProject } from '../../generated/sdk.gen.ts';
import type { Project, ProjectUpdateRequest } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { fieldErrors } from '../../parts/explain-error.ts';
import { AskBeforeLeaving } from '../../parts/forms/leaving.tsx';
import { NEWEST, useDraft } from '../../parts/forms/use-draft.ts';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { common } from '../../strings/common.ts';
import { settings as text } from '../../strings/settings.ts';

/** Name and address. Only what was changed is sent, so that it undoes nothing of what somebody else has changed. */
export function ProjectForm({ project }: { project: Project }) {
  const draft = useDraft(fieldsOf(project));
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const path = { projectId: project.id };
  const change = changeOf(project, draft.fields);
  const save = useMutation({
    mutationFn: async () => {
      const newest = await queries.fetchQuery({ ...getProjectOptions({ path }), ...NEWEST });
      const fields = draft.over(fieldsOf(newest));
      if (fields === null) return;
      const { data } = await updateProject({ path, body: changeOf(newest, fields), throwOnError: true });
      queries.setQueryData(getProjectQueryKey({ path }), data);
      draft.settle(fields);
      await queries.invalidateQueries({ queryKey: [{ _id: 'listProjects' }] });
      notify.done(text.saved);
    },
  });
  const refused = save.error ? fieldErrors(save.error) : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (change.site_url !== undefined) setAsking(true);
        else save.mutate();
      }}
    >
      <Stack gap="sm">
        {save.error && !asking && <Problem error={save.error} />}
        <TextInput
          label={text.name}
          required
          maxLength={300}
          value={draft.fields.name}
          onChange={(event) => draft.set({ name: event.currentTarget.value })}
          error={refused['name'] ?? (draft.isOvertaken('name') && common.overtaken)}
        />
        <TextInput
          label={text.siteUrl}
          description={text.siteUrlHint}
          type="url"
          maxLength={2048}
          value={draft.fields.siteUrl}
          onChange={(event) => draft.set({ siteUrl: event.currentTarget.value })}
          error={refused['site_url'] ?? (draft.isOvertaken('siteUrl') && common.overtaken)}
        />
        <Group>
          <Button type="submit" disabled={Object.keys(change).length === 0} loading={save.isPending && !asking}>
            {text.save}
          </Button>
        </Group>
      </Stack>
      <AskBeforeLeaving unsaved={draft.isDirty} />
      {asking && (
        <ConfirmDialog
          opened
          title={text.siteTitle}
          confirm={text.siteConfirm}
          onConfirm={() => save.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">{change.site_url === null ? text.siteTextNone : text.siteText}</Text>
        </ConfirmDialog>
      )}
    </form>
  );
}

interface ProjectFields {
  readonly name: string;
  readonly siteUrl: string;
}

const fieldsOf = ({ name, site_url }: Project): ProjectFields => ({ name, siteUrl: site_url ?? '' });

function changeOf(project: Project, { name, siteUrl }: ProjectFields): ProjectUpdateRequest {
  const given = siteUrl.trim() === '' ? null : siteUrl.trim();
  return {
    ...(name.trim() !== project.name && { name: name.trim() }),
    ...(given !== project.site_url && { site_url: given }),
  };
}
