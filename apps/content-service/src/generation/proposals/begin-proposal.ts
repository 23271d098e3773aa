import type { ProposalRequest } from '@blog-content/payload-schemas';
import { conflict, notFound } from '@blog-content/service-runtime';
import { withoutPlaceholders } from '@blog-content/link-resolver';
import type { SiblingStore } from '../../blogs/translations/sibling-store.ts';
import type { Blog } from '../../blogs/writing/blog-store.ts';
import type { ShownJob } from '../jobs/job.ts';
import { MAX_OPEN_JOBS, type JobStore } from '../jobs/job-store.ts';
import type { RefusePost } from '../settings/refuse-post.ts';
import { WITHOUT_MODEL } from './propose.ts';
import { isTranslation } from './translate-post.ts';

export interface CheckProposalDependencies {
  readonly siblings: Pick<SiblingStore, 'list'>;
  readonly hasModel: (projectId: string) => Promise<boolean>;
  /** Why nothing more is begun: a budget does not allow it. */
  readonly refusePost: RefusePost;
}

/** Words that are worth beginning for. */
const MIN_LENGTH = 50;

/**
 * Checks whether a proposal can be made, before anything is paid for it.
 *
 * @throws a 409 problem if not.
 */
export async function checkProposal(
  { siblings, hasModel, refusePost }: CheckProposalDependencies,
  { id, projectId }: Pick<Blog, 'id' | 'projectId'>,
  { kind, language }: ProposalRequest,
): Promise<void> {
  if (isTranslation(kind)) {
    const members = await siblings.list(projectId, id);
    const taken = members.find((one) => kind === 'translate' && one.language === language);
    if (taken?.id === id) throw conflict(`“${taken.language}” is the language of the post itself.`);
    if (taken !== undefined) {
      const post = `“${withoutPlaceholders(taken.title)}” (${taken.id})`;
      throw conflict(
        `The post already has a translation in “${taken.language}”: ${post}. Use \`update_translation\` on it.`,
      );
    }
    if (kind === 'update_translation' && !members.some((one) => one.id === id && one.sourceId !== null)) {
      throw conflict('The post has no source to update from. Set one of its translations as the source first.');
    }
  }
  if (WITHOUT_MODEL.has(kind)) return;
  if (!(await hasModel(projectId))) {
    const why = isTranslation(kind) ? 'Translations need one' : 'Without one, only links can be proposed';
    throw conflict(`No AI model is configured. ${why}. See the AI model settings.`);
  }
  const refused = await refusePost(projectId, { length: MIN_LENGTH });
  if (refused !== null) throw conflict(refused.message);
}

/** Begins to make a proposal, as routes and agents' tools do alike: refusals are thrown as problems. */
export async function beginProposal(
  generations: Pick<JobStore, 'create'>,
  requestedBy: string,
  blog: Blog,
  request: ProposalRequest,
): Promise<ShownJob> {
  const about = { projectId: blog.projectId, requestedBy, origin: null, blogId: blog.id, kind: 'proposal' } as const;
  const asked = { ...request, topic: blog.title };
  const made = await generations.create({ ...about, request: asked, step: request.kind, stepsInAll: 1 });
  if (made === 'no_project') throw notFound('Project not found.');
  if (made === 'too_many') throw conflict(`Limit reached: ${MAX_OPEN_JOBS} running generations per project.`);
  return made;
}
