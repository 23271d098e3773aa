import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { listGenerationsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { GenerationProgress } from '../../parts/generation/generation-progress.tsx';
import { Row, Rows } from '../../parts/lists/rows.tsx';
import { useNavigateFromHere } from '../../parts/navigate-from-here.ts';
import { notify } from '../../parts/notify.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { generation as text } from '../../strings/writing/generation.ts';
import { GenerateForm } from './generate-form.tsx';

/** A project has fewer that have not ended. */
const SHOWN = 50;

/** Generates a draft: the form, and then how far it is. */
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
      <PageFrame title={text.title} description={text.text} narrow>
        <BeingWritten projectId={projectId} />
        <GenerateForm projectId={projectId} onBegun={show} />
      </PageFrame>
    );
  }
  return (
    <PageFrame
      title={text.title}
      description={text.continues}
      narrow
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
        withSteps
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

/** Those that have not ended, for people who left the page. */
function BeingWritten({ projectId }: { projectId: string }) {
  const list = useQuery({
    ...listGenerationsOptions({ path: { projectId }, query: { kind: 'post', limit: SHOWN } }),
    staleTime: 0,
  });
  const open = list.data?.items.filter(({ status }) => status === 'waiting' || status === 'running') ?? [];
  if (open.length === 0) return null;
  return (
    <Section title={text.open}>
      <Rows label={text.open}>
        {open.map(({ id, topic, created_at }) => (
          <Row
            key={id}
            icon={Sparkles}
            title={
              <PageLink
                c="var(--ink)"
                to="/projects/$projectId/generate"
                params={{ projectId }}
                search={{ generation: id }}
              >
                {topic}
              </PageLink>
            }
            note={<When iso={created_at} />}
          />
        ))}
      </Rows>
    </Section>
  );
}
