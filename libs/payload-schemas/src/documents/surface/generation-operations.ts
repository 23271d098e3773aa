import * as owner from '../../owner-api.ts';
import { EVENT_STREAM, type OperationRow } from '../operation.ts';
import { AGENT, pageOf, paging, parametersOf, PROJECT } from './parameters.ts';

const overBudget = 'The budget of the project is used up, or a limit is reached: the problem says when to ask again.';

/** The service writes: the same for members of a project and for its agents. */
function generatingOperations(base: string, credential: 'ownerSession' | 'agentKey'): OperationRow[] {
  const one = `${base}/generations/{generationId}`;
  const operations: Omit<OperationRow, 'credential'>[] = [
    {
      id: 'generateBlog',
      permission: 'draft',
      method: 'post',
      idempotent: true,
      path: `${base}/blogs/generate`,
      summary: 'Have a draft written',
      request: owner.blogGenerateRequest,
      answers: { 202: owner.generation },
      location: true,
      errors: { 409: overBudget },
    },
    {
      id: 'listGenerations',
      method: 'get',
      path: `${base}/generations`,
      summary: 'List generations, newest first',
      query: { ...parametersOf(owner.generationListQuery), ...paging },
      answers: { 200: pageOf(owner.generationItem) },
    },
    {
      id: 'getGeneration',
      method: 'get',
      path: one,
      summary: 'Get how far a generation has come, and its report',
      answers: { 200: owner.generation },
    },
    {
      id: 'cancelGeneration',
      permission: 'draft',
      method: 'post',
      path: `${one}/cancel`,
      summary: 'Cancel a generation',
      answers: { 200: owner.generation },
      errors: { 409: 'It has succeeded or failed already.' },
    },
    {
      id: 'watchGeneration',
      method: 'get',
      path: `${one}/events`,
      summary: 'Watch a generation, by server-sent events',
      description:
        'Each event is a generation without its report, named by its status, with an `id`. `Last-Event-ID` has the stream go on behind that one. It ends with the generation.',
      answers: { 200: EVENT_STREAM },
      errors: { 429: 'You watch too many at once: `Retry-After` says when to ask again.' },
    },
    {
      id: 'createProposal',
      permission: 'draft',
      method: 'post',
      idempotent: true,
      path: `${base}/blogs/{blogId}/proposals`,
      summary: 'Have a change of a blog proposed',
      description: 'The answer is the generation; once it has succeeded, its `proposal_id` names the proposal.',
      request: owner.proposalRequest,
      answers: { 202: owner.generation },
      location: true,
      errors: { 409: 'There is no model, a budget is used up, or a limit is reached.' },
    },
    {
      id: 'listProposals',
      method: 'get',
      path: `${base}/blogs/{blogId}/proposals`,
      summary: 'List proposals for a blog, newest first',
      query: paging,
      answers: { 200: pageOf(owner.proposalItem) },
    },
    {
      id: 'getProposal',
      method: 'get',
      path: `${base}/proposals/{proposalId}`,
      summary: 'Get a proposal with what it would change',
      answers: { 200: owner.proposal },
      errors: {
        422: 'The two contents take too long to compare.',
        429: 'Too much work of the account waits already: `Retry-After` says when to ask again.',
      },
    },
    {
      id: 'acceptProposal',
      permission: 'draft',
      method: 'post',
      path: `${base}/proposals/{proposalId}/accept`,
      summary: 'Take a proposal: it changes the working copy, or makes the draft of a translation',
      request: owner.proposalAcceptRequest,
      requestOptional: true,
      ifMatch: true,
      answers: { 200: owner.proposalItem },
      errors: { 409: 'It was settled otherwise, or the blog was changed since it was made.' },
    },
    {
      id: 'rejectProposal',
      permission: 'draft',
      method: 'post',
      path: `${base}/proposals/{proposalId}/reject`,
      summary: 'Leave a proposal',
      answers: { 200: owner.proposalItem },
      errors: { 409: 'It was taken already.' },
    },
  ];
  return operations.map((operation) => ({
    ...operation,
    id:
      credential === 'agentKey' ? `agent${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}` : operation.id,
    credential,
  }));
}

export const generationOperations: OperationRow[] = [
  ...generatingOperations(PROJECT, 'ownerSession'),
  {
    id: 'getGenerationSettings',
    method: 'get',
    path: `${PROJECT}/generation-settings`,
    summary: 'Get which model writes, and what this month has cost',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 200: owner.generationSettings },
  },
  {
    id: 'setGenerationSettings',
    method: 'put',
    path: `${PROJECT}/generation-settings`,
    summary: 'Set which model writes, and what it may cost',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.generationSettingsRequest,
    answers: { 200: owner.generationSettings },
    errors: { 409: 'The service is not set up to keep keys.' },
  },
  {
    id: 'testGenerationModel',
    method: 'post',
    path: `${PROJECT}/generation-settings/test`,
    summary: 'Try the model, saved or not',
    description:
      'Asks the model for a few words, as generations ask. It counts towards the budget of the month, and at most ten are made a minute.',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.modelTestRequest,
    requestOptional: true,
    answers: { 200: owner.modelTest },
    errors: { 409: 'There is no model, or the budget of the month is used up.' },
  },
];

export const agentGenerationOperations: OperationRow[] = generatingOperations(AGENT, 'agentKey');
