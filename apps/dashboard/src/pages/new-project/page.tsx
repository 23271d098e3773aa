import { Button, Container, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createProjectMutation } from '../../generated/@tanstack/react-query.gen.ts';
import { fieldErrors } from '../../parts/explain-error.ts';
import { formText } from '../../parts/forms/form-text.ts';
import { useNavigateFromHere } from '../../parts/navigate-from-here.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { Problem } from '../../parts/problem.tsx';
import { start as text } from '../../strings/start.ts';

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
  const submit = (given: FormData) => {
    const siteUrl = formText(given, 'site_url').trim();
    create.mutate({ body: { name: formText(given, 'name').trim(), site_url: siteUrl === '' ? null : siteUrl } });
  };
  return (
    <Container component="main" size="xs" py="xl">
      <PageFrame title={text.newTitle}>
        <Text c="dimmed">{text.text}</Text>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit(new FormData(event.currentTarget));
          }}
        >
          <Stack>
            {create.error && <Problem error={create.error} />}
            <TextInput name="name" label={text.name} required maxLength={200} error={refused['name']} autoFocus />
            <TextInput
              name="site_url"
              type="url"
              label={text.siteUrl}
              description={text.siteUrlHint}
              error={refused['site_url']}
            />
            <Button type="submit" loading={create.isPending}>
              {text.create}
            </Button>
          </Stack>
        </form>
      </PageFrame>
    </Container>
  );
}
