import { readId } from '@blog-content/service-runtime';

/** The project that a request's path names; `requireProjectMember` has checked it. */
export function projectIdOf(params: object): string {
  return readId((params as { projectId?: string }).projectId, 'project');
}
