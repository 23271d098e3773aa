import type { BlogGenerateRequest } from '@blog-content/payload-schemas';
import { conflict, notFound, unprocessable } from '@blog-content/service-runtime';
import type { ShownJob } from './jobs/job.ts';
import { MAX_OPEN_JOBS, type JobStore } from './jobs/job-store.ts';
import { newPostJob } from './posts/new-post-job.ts';
import type { RefusePost } from './settings/refuse-post.ts';

export interface BeginGenerationDependencies {
  readonly generations: Pick<JobStore, 'create'>;
  readonly refusePost: RefusePost;
}

/** Begins to generate a post, as routes and agents' tools do alike: refusals are thrown as problems. */
export async function beginGeneration(
  { generations, refusePost }: BeginGenerationDependencies,
  { projectId, id: requestedBy }: { readonly projectId: string; readonly id: string },
  request: BlogGenerateRequest,
): Promise<ShownJob> {
  const refused = await refusePost(projectId, request);
  if (refused !== null) {
    const { field, message } = refused;
    throw field === null ? conflict(message) : unprocessable([{ field, message }]);
  }
  const job = await generations.create(newPostJob({ projectId, requestedBy, request, origin: null }));
  if (job === 'no_project') throw notFound('Project not found.');
  if (job === 'too_many') throw tooManyJobs();
  return job;
}

const tooManyJobs = () =>
  conflict(`Limit reached: ${MAX_OPEN_JOBS} running generations per project. Wait for one to finish, or cancel one.`);
