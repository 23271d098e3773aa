import {
  proposalAcceptRequest,
  proposalRequest,
  type proposal,
  type proposalItem,
} from '@blog-content/payload-schemas';
import {
  conflict,
  notFound,
  parseBody,
  preconditionFailed,
  readId,
  readIfMatch,
  readPage,
  toPage,
  unprocessable,
} from '@blog-content/service-runtime';
import { Router, type Request, type Response } from 'express';
import type { z } from 'zod';
import type { Blog, BlogStore } from '../../blogs/writing/blog-store.ts';
import { noBlog, tooManyBlogs } from '../../blogs/writing/blog-actions.ts';
import { blogFieldsOf, draftChanges } from '../../blogs/writing/draft.ts';
import { diffFields } from '../../blogs/revisions/diff-fields.ts';
import type { ContentWork } from '../../content/content-work.ts';
import { callerOf } from '../../platform/http/caller.ts';
import { changesBy } from '../../platform/http/permission.ts';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../../platform/idempotency/idempotent.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { showJob } from '../jobs/show-job.ts';
import { beginProposal, checkProposal, type CheckProposalDependencies } from './begin-proposal.ts';
import type { AcceptRefusal, Proposal, ProposalStore, ProposedChanges } from './proposal-store.ts';

export interface ProposalRoutesDependencies extends CheckProposalDependencies {
  readonly blogs: Pick<BlogStore, 'find'>;
  readonly contentWork: Pick<ContentWork, 'diff'>;
  readonly generationRunner: Pick<JobRunner, 'wake'>;
  readonly proposals: ProposalStore;
  readonly idempotency: IdempotencyStore<{ readonly generations: Pick<JobStore, 'create'> }>;
}

type ShownProposal = z.infer<typeof proposalItem>;

/** `/blogs/:blogId/proposals` and `/proposals` of a project. */
export function createProposalRoutes(dependencies: ProposalRoutesDependencies): Router {
  const { blogs, contentWork, generationRunner, proposals, idempotency } = dependencies;
  const routes = Router({ mergeParams: true });

  routes.post('/blogs/:blogId/proposals', async (req, res, next) => {
    const blog = await blogOf(req, res);
    const request = parseBody(proposalRequest, req.body);
    await checkProposal(dependencies, blog, request);
    res.once('finish', () => {
      generationRunner.wake();
    });
    const create = idempotent(idempotency, callerOf, async (_req, _res, stores) => {
      const made = await beginProposal(stores.generations, callerOf(res).id, blog, request);
      res.locals.log['job_id'] = made.id;
      const headers = { Location: `${req.baseUrl}/generations/${made.id}` };
      return { status: 202, headers, body: showJob(made), about: { blogId: blog.id } };
    });
    await create(req, res, next);
  });

  routes.get('/blogs/:blogId/proposals', async (req, res) => {
    const page = readPage(req.query);
    const { projectId, id } = await blogOf(req, res);
    res.json(toPage(await proposals.list(projectId, id, page), page.limit, showItem));
  });

  routes.get('/proposals/:proposalId', async (req, res) => {
    const found = await proposals.find(callerOf(res).projectId, proposalId(req));
    if (found === null) throw noProposal();
    res.json(await show(found));
  });

  routes.post('/proposals/:proposalId/accept', async (req, res) => {
    const { choice } = parseBody(proposalAcceptRequest, req.body ?? {});
    const mayChange = changesBy(callerOf(res), readIfMatch(req));
    const accepted = await proposals.accept(settling(req, res), choice, mayChange);
    if (typeof accepted === 'string') throw refusal(accepted);
    res.json(showItem(accepted));
  });

  routes.post('/proposals/:proposalId/reject', async (req, res) => {
    const rejected = await proposals.reject(settling(req, res));
    if (typeof rejected === 'string') throw refusal(rejected);
    res.json(showItem(rejected));
  });
  return routes;

  async function blogOf(req: Request, res: Response): Promise<Blog> {
    const blog = await blogs.find(callerOf(res).projectId, readId(req.params['blogId'], 'post'));
    if (!blog) throw noBlog();
    return blog;
  }

  /** What it would change of the working copy as it is now. */
  async function show(found: Proposal): Promise<z.infer<typeof proposal>> {
    const blog = await blogs.find(found.projectId, found.blogId);
    const changes = found.changes as ProposedChanges;
    if (!blog || found.status === 'accepted') return { ...showItem(found), fields: [], content: [] };
    const { content } = changes;
    const before = blogFieldsOf(blog);
    const given = draftChanges(changes, content === undefined ? {} : { content });
    // Extra fields that aren't given stay.
    const after = { ...before, ...given, extra: { ...before.extra, ...given.extra } };
    return {
      ...showItem(found),
      fields: diffFields(blog, after),
      content: content === undefined ? [] : await contentWork.diff(found.projectId, blog.content, content),
    };
  }
}

export function showItem(shown: Proposal): ShownProposal {
  return {
    id: shown.id,
    blog_id: shown.blogId,
    generation_id: shown.jobId,
    kind: shown.kind as ShownProposal['kind'],
    status: shown.status as ShownProposal['status'],
    base_version: shown.baseVersion,
    choices: shown.choices,
    notes: shown.notes,
    brand_voice: shown.brandVoice as ShownProposal['brand_voice'],
    new_blog_id: shown.newBlogId,
    created_at: shown.createdAt.toISOString(),
    settled_at: shown.settledAt?.toISOString() ?? null,
    settled_by: shown.settledBy,
  };
}

const proposalId = (req: Request): string => readId(req.params['proposalId'], 'proposal');
const settling = (req: Request, res: Response) => {
  const { projectId, id: settledBy } = callerOf(res);
  return { projectId, proposalId: proposalId(req), settledBy };
};
const noProposal = () => notFound('Proposal not found.');

export function refusal(because: AcceptRefusal) {
  switch (because) {
    case 'not_found':
      return noProposal();
    case 'settled':
      return conflict('The proposal was already accepted or rejected.');
    case 'no_choice':
      return unprocessable([{ field: 'choice', message: 'must be one of the choices' }]);
    case 'blog_gone':
      return conflict('The post was deleted.');
    case 'if_match':
      return preconditionFailed('post');
    case 'changed_since':
      return conflict('The post changed after the proposal was made. Generate a new one.');
    case 'translated':
      return conflict('A translation in this language was added in the meantime. Update that one instead.');
    case 'too_many':
      return tooManyBlogs();
  }
}
