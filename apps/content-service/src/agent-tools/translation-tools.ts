import {
  blogTranslations,
  proposalRequest,
  translationCreateRequest,
  translationSourceRequest,
} from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { DeliveryOutcomeStore } from '../blogs/publishing/delivery-outcome-store.ts';
import type { SiblingStore } from '../blogs/translations/sibling-store.ts';
import { createTranslationActions } from '../blogs/translations/translation-actions.ts';
import { showBlog } from '../blogs/writing/show-blog.ts';
import type { BlogStore } from '../blogs/writing/blog-store.ts';
import { noBlog } from '../blogs/writing/blog-actions.ts';
import {
  beginProposal,
  checkProposal,
  type CheckProposalDependencies,
} from '../generation/proposals/begin-proposal.ts';
import { refusal, showItem } from '../generation/proposals/proposal-routes.ts';
import type { ProposalStore } from '../generation/proposals/proposal-store.ts';
import type { JobRunner } from '../generation/jobs/job-runner.ts';
import type { JobStore } from '../generation/jobs/job-store.ts';
import { showJob } from '../generation/jobs/show-job.ts';
import { changesBy } from '../platform/http/permission.ts';
import type { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { asGeneration, asPost, asProposal, generationAnswer, post, proposalAnswer } from './named-answers.ts';
import { blogId, defineTool, idempotencyKey, ifVersion, matching, onceByKey, reading, type Tool } from './tool.ts';

interface TranslationStores {
  readonly siblings: SiblingStore;
  readonly outcomes: Pick<DeliveryOutcomeStore, 'livePosts'>;
}

export interface TranslationToolsDependencies extends TranslationStores, CheckProposalDependencies {
  readonly siblings: SiblingStore;
  readonly blogs: Pick<BlogStore, 'find'>;
  readonly proposals: Pick<ProposalStore, 'accept'>;
  readonly generationRunner: Pick<JobRunner, 'wake'>;
  readonly idempotency: IdempotencyStore<TranslationStores & { readonly generations: Pick<JobStore, 'create'> }>;
}

/** The tools for a post in other languages. */
export function createTranslationTools(dependencies: TranslationToolsDependencies): Tool[] {
  const { blogs, proposals, generationRunner, idempotency } = dependencies;
  const actions = createTranslationActions(dependencies);
  return [
    defineTool({
      name: 'list_translations',
      title: 'List translations',
      description:
        'Lists a post and its translations: their languages and states, and how many revisions each is behind its source.',
      input: z.object({ blog_id: blogId }),
      output: blogTranslations,
      ...reading,
      run: ({ projectId }, input) => actions.list(projectId, input.blog_id),
    }),
    defineTool({
      name: 'create_translation',
      title: 'Create a translation',
      description:
        'Creates a draft in another language from a post, which needs a `language`. It has the source’s text: translate that with update_post. ' +
        'Keep links such as [INTERNAL:<slug>] and code as they are.',
      input: translationCreateRequest.extend({ blog_id: blogId, idempotency_key: idempotencyKey }),
      output: post,
      changes: 'something',
      idempotent: false,
      permission: 'draft',
      async run(caller, { blog_id: sourceId, language, idempotency_key: key }, given) {
        const created = await onceByKey(
          idempotency,
          caller,
          { key, tool: 'create_translation', given },
          async (stores) => {
            const made = await createTranslationActions(stores).create(caller.projectId, sourceId, language);
            return showBlog(made, await stores.outcomes.livePosts(made));
          },
          ({ id }) => ({ blogId: id }),
        );
        return asPost(created);
      },
    }),
    defineTool({
      name: 'propose_translation',
      title: 'Translate a post',
      description:
        'Has the project’s AI model translate a post into `language`. Without `language`, it brings a translation up to date with its source. ' +
        'Nothing changes yet: poll generation_status until it returns a `proposal_id`, then call accept_translation.',
      input: z.object({
        blog_id: blogId,
        language: proposalRequest.shape.language,
        instructions: proposalRequest.shape.instructions,
        idempotency_key: idempotencyKey,
      }),
      output: generationAnswer,
      changes: 'something',
      idempotent: false,
      permission: 'draft',
      async run(caller, { blog_id: id, language, instructions, idempotency_key: key }, given) {
        const blog = await blogs.find(caller.projectId, id);
        if (blog === null) throw noBlog();
        const request = {
          kind: language === undefined ? 'update_translation' : 'translate',
          language,
          instructions,
        } as const;
        await checkProposal(dependencies, blog, request);
        const begun = await onceByKey(
          idempotency,
          caller,
          { key, tool: 'propose_translation', given },
          async (stores) => showJob(await beginProposal(stores.generations, caller.id, blog, request)),
          () => ({ blogId: blog.id }),
        );
        generationRunner.wake();
        return asGeneration(begun);
      },
    }),
    defineTool({
      name: 'accept_translation',
      title: 'Accept a proposed translation',
      description:
        'Saves a proposed translation: as a draft whose `new_blog_id` is returned, or in the working copy of the translation. Nothing is published.',
      input: z.object({
        proposal_id: z.uuid().describe('`proposal_id` from generation_status.'),
        if_version: ifVersion,
      }),
      output: proposalAnswer,
      changes: 'something',
      idempotent: true,
      permission: 'draft',
      async run(caller, { proposal_id: proposalId, if_version: version }) {
        const settling = { projectId: caller.projectId, proposalId, settledBy: caller.id };
        const accepted = await proposals.accept(settling, 0, changesBy(caller, matching(version)));
        if (typeof accepted === 'string') throw refusal(accepted);
        return asProposal(showItem(accepted));
      },
    }),
    defineTool({
      name: 'confirm_translation',
      title: 'Confirm a translation',
      description: 'Marks a translation as up to date with its source, after you changed it with update_post.',
      input: translationSourceRequest.extend({
        blog_id: blogId,
        source_id: translationSourceRequest.shape.blog_id,
      }),
      output: blogTranslations,
      changes: 'something',
      idempotent: true,
      permission: 'draft',
      run: ({ projectId }, input) => actions.confirm(projectId, input.blog_id, input.source_id),
    }),
  ];
}
