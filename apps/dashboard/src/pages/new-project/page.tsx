import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createProjectMutation, listProjectsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { fieldErrors } from '../../parts/explain-error.ts';
import { formText } from '../../parts/forms/form-text.ts';
import { TextInput } from '../../parts/forms/inputs.tsx';
import { isSiteUrl, siteUrlOf } from '../../parts/forms/site-url.ts';
import { useNavigateFromHere } from '../../parts/navigate-from-here.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageButton } from '../../parts/page-link.tsx';
import { Problem } from '../../parts/problem.tsx';
import { SessionCard } from '../../session/session-card.tsx';
import { useSignOut } from '../../session/sign-out.tsx';
import { common } from '../../strings/common.ts';
import { newProject as text, settings } from '../../strings/settings.ts';

export function Page() {
  const navigate = useNavigateFromHere();
  const queries = useQueryClient();
  const create = useMutation({
    ...createProjectMutation(),
    onSuccess: async (project) => {
      await queries.invalidateQueries({ queryKey: [{ _id: 'listProjects' }] });
      await navigate({ to: '/projects/$projectId', params: { projectId: project.id } });
    },
  });
  const refused = create.error ? fieldErrors(create.error) : {};
  const [hasHost, setHasHost] = useState(true);
  const submit = (given: FormData) => {
    const typed = formText(given, 'site_url');
    setHasHost(isSiteUrl(typed));
    if (!isSiteUrl(typed)) return;
    const siteUrl = siteUrlOf(typed);
    create.mutate({ body: { name: formText(given, 'name').trim(), site_url: siteUrl } });
  };
  return (
    <SessionCard>
      <PageFrame title={text.newTitle} description={text.text}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit(new FormData(event.currentTarget));
          }}
        >
          <Stack>
            {create.error && <Problem error={create.error} />}
            <TextInput
              name="name"
              label={text.name}
              placeholder={text.namePlaceholder}
              required
              maxLength={200}
              error={refused['name']}
              autoFocus
            />
            <TextInput
              name="site_url"
              inputMode="url"
              label={text.siteUrl}
              description={text.siteUrlHint}
              placeholder="example.com"
              onChange={() => setHasHost(true)}
              error={hasHost ? refused['site_url'] : settings.noSiteHost}
            />
            <Button type="submit" loading={create.isPending}>
              {text.create}
            </Button>
            <WayOut />
          </Stack>
        </form>
      </PageFrame>
    </SessionCard>
  );
}

/** Back to a project, or out of the account where there is none yet. */
function WayOut() {
  const projects = useQuery(listProjectsOptions({ query: { limit: 100 } }));
  const signOut = useSignOut();
  if (projects.data === undefined) return null;
  return projects.data.items.length > 0 ? (
    <PageButton variant="default" to="/">
      {common.cancel}
    </PageButton>
  ) : (
    <Button variant="default" onClick={signOut}>
      {common.signOut}
    </Button>
  );
}
