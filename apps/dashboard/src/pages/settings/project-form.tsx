import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { getProjectOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { updateProject } from '../../generated/sdk.gen.ts';
import type { Project, ProjectUpdateRequest } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { TextInput } from '../../parts/forms/inputs.tsx';
import { AskBeforeLeaving } from '../../parts/forms/leaving.tsx';
import { isSiteUrl, siteUrlOf } from '../../parts/forms/site-url.ts';
import { useSettingsForm, word } from '../../parts/forms/use-settings-form.ts';
import { Problem } from '../../parts/problem.tsx';
import { settings as text } from '../../strings/settings.ts';

/** Name and address. Only what was changed is sent, so that it does not undo other people's changes. */
export function ProjectForm({ project }: { project: Project }) {
  const path = { projectId: project.id };
  const form = useSettingsForm({
    saved: project,
    query: getProjectOptions({ path }),
    fieldsOf,
    send: (fields, newest) => updateProject({ path, body: changeOf(newest, fields), throwOnError: true }),
    list: 'listProjects',
    done: text.saved,
  });
  const { fields, save, isDirty } = form;
  const change = changeOf(project, fields);
  const [asking, setAsking] = useState(false);
  const [tried, setTried] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(fields.site_url);
        if (!isSiteUrl(fields.site_url)) return;
        if (change.site_url !== undefined) setAsking(true);
        else save.mutate();
      }}
    >
      <Stack gap="sm">
        {save.error && !asking && <Problem error={save.error} />}
        <TextInput label={text.name} required maxLength={300} {...word(form, 'name')} />
        <TextInput
          label={text.siteUrl}
          description={text.siteUrlHint}
          inputMode="url"
          maxLength={2048}
          {...word(form, 'site_url')}
          error={isSiteUrl(tried === fields.site_url ? tried : '') ? form.wrong('site_url') : text.noSiteHost}
        />
        <Group>
          <Button type="submit" disabled={Object.keys(change).length === 0} loading={save.isPending && !asking}>
            {text.save}
          </Button>
        </Group>
      </Stack>
      <AskBeforeLeaving unsaved={isDirty} />
      {asking && (
        <ConfirmDialog
          opened
          title={text.siteTitle}
          confirm={text.siteConfirm}
          names={{ name: text.name, site_url: text.siteUrl }}
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
  readonly site_url: string;
}

const fieldsOf = ({ name, site_url }: Project): ProjectFields => ({ name, site_url: site_url ?? '' });

function changeOf(project: Project, { name, site_url: siteUrl }: ProjectFields): ProjectUpdateRequest {
  const given = siteUrlOf(siteUrl);
  return {
    ...(name.trim() !== project.name && { name: name.trim() }),
    ...(given !== project.site_url && { site_url: given }),
  };
}
