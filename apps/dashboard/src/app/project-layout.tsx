import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Alone } from '../parts/alone.tsx';
import { getProjectOptions } from '../generated/@tanstack/react-query.gen.ts';
import { ApiError } from '../api/api-error.ts';
import { ProjectContext } from '../parts/project.tsx';
import { Problem } from '../parts/problem.tsx';
import type { Project } from '../generated/types.gen.ts';
import { notify } from '../parts/notify.ts';
import { useProjectNews } from '../news/project-news.ts';
import { rememberProject } from '../pages/start/last-project.ts';
import { Shell } from './shell/shell.tsx';
import { common } from '../strings/common.ts';
import { Loading } from '../parts/loading.tsx';
import { NotFoundAlone } from './states.tsx';

/** Around every page of a project: looks the project up once, gives it to the pages, and keeps them up to date. */
export function ProjectLayout() {
  const { projectId } = useParams({ from: '/projects/$projectId' });
  const project = useQuery({ ...getProjectOptions({ path: { projectId } }), staleTime: 60_000 });
  const found = project.data?.id;
  useProjectNews(found);
  useEffect(() => {
    if (found !== undefined) rememberProject(found);
  }, [found]);
  useRoleNotice(project.data);
  if (project.data !== undefined) {
    return (
      <ProjectContext value={project.data}>
        <Shell>
          {/* What was typed or chosen on a page is of its project. */}
          <Outlet key={project.data.id} />
        </Shell>
      </ProjectContext>
    );
  }
  if (project.error === null) return <Loading />;
  if ((project.error as unknown) instanceof ApiError && [400, 404].includes(project.error.status ?? 0)) {
    return <NotFoundAlone />;
  }
  return (
    <Alone>
      <Problem error={project.error} onRetry={() => void project.refetch()} />
    </Alone>
  );
}

/** Says that the person’s role has become another one, because buttons come or go with it. */
function useRoleNotice(project: Project | undefined): void {
  const seen = useRef(project);
  useEffect(() => {
    const before = seen.current;
    seen.current = project;
    if (project === undefined || before?.id !== project.id || before.role === project.role) return;
    notify.news(common.roleNow[project.role]);
  }, [project]);
}
