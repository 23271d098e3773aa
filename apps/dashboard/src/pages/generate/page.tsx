import { Button, List, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { listGenerationsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { GenerationProgress } from '../../parts/generation/generation-progress.tsx';
import { useNavigateFromHere } from '../../parts/navigate-from-here.ts';
import { notify } from '../../parts/notify.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { posts as strings } from '../../strings/posts.ts';
import { GenerateForm } from './generate-form.tsx';

const text = strings.generation;
/** A project has fewer that have not ended. */
const SHOWN = 50;

/** Has a draft written: what is asked for, and then how far it is. */
export function Page() {
  const { id: projectId } = useProject();
  const { generation } = useSearch({ from: '/projects/$projectId/generate' });
  const navigate = useNavigateFromHere();
  const show = (id?: string) =>
    void navigate({
      to: '/projects/$projectId/generate',
      params: { projectId },
      search: id === undefined ? {} : { generation: id },
    });
  if (generation === undefined) {
    return (
      <PageFrame title={text.title}>
        <Text size="sm">{text.text}</Text>
        <BeingWritten projectId={projectId} />
        <GenerateForm projectId={projectId} onBegun={show} />
      </PageFrame>
    );
  }
  return (
    <PageFrame
      title={text.title}
      actions={
        <Button variant="default" onClick={() => show()}>
          {text.again}
        </Button>
      }
    >
      <GenerationProgress
        key={generation}
        projectId={projectId}
        generationId={generation}
        label={text.title}
        onDone={(made) => {
          if (made === null || made.blog_id === null) return show();
          notify.done(text.done(made.topic));
          // In its place: going back does not lead to what has ended.
          return void navigate({
            to: '/projects/$projectId/posts/$blogId',
            params: { projectId, blogId: made.blog_id },
            replace: true,
          });
        }}
      />
    </PageFrame>
  );
}

/** Those that have not ended, so that whoever has left the page finds them again. */
function BeingWritten({ projectId }: { projectId: string }) {
  const list = useQuery({
    ...listGenerationsOptions({ path: { projectId }, query: { kind: 'post', limit: SHOWN } }),
    staleTime: 0,
  });
  const open = list.data?.items.filter(({ status }) => status === 'waiting' || status === 'running') ?? [];
  if (open.length === 0) return null;
  return (
    <section aria-label={text.open}>
      <Title order={2} size="h5">
        {text.open}
      </Title>
      <List size="sm" mt="xs">
        {open.map(({ id, topic }) => (
          <List.Item key={id}>
            <PageLink to="/projects/$projectId/generate" params={{ projectId }} search={{ generation: id }}>
              {topic}
            </PageLink>
          </List.Item>
        ))}
      </List>
    </section>
  );
}
