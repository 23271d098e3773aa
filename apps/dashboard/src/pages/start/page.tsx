import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { Alone } from '../../parts/alone.tsx';
import { lastProject } from './last-project.ts';
import { Loading } from '../../parts/loading.tsx';
import { listProjectsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { Problem } from '../../parts/problem.tsx';

/** Redirects to the project that was open last, else to the first one, else to the form for a new one. */
export function Page() {
  const projects = useQuery(listProjectsOptions({ query: { limit: 100 } }));
  if (projects.error) {
    return (
      <Alone>
        <Problem error={projects.error} onRetry={() => void projects.refetch()} />
      </Alone>
    );
  }
  if (projects.data === undefined) return <Loading />;
  const { items } = projects.data;
  const project = items.find(({ id }) => id === lastProject()) ?? items[0];
  if (project === undefined) return <Navigate to="/new-project" replace />;
  return <Navigate to="/projects/$projectId" params={{ projectId: project.id }} replace />;
}
