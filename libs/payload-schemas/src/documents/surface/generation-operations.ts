import * as owner from '../../owner-api.ts';
import { EVENT_STREAM, type OperationRow } from '../operation.ts';
import { AGENT, pageOf, paging, parametersOf, PROJECT } from './parameters.ts';

const overBudget = 'The budget is used up, or a limit is reached. `detail` says when to retry.';

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
      summary: 'Generate a draft',
      request: owner.blogGenerateRequest,
      answers: { 202: owner.generation },
      location: true,
      errors: { 409: overBudget },
    },
    {
      id: 'listGenerations',
      method: 'get',
      path: `${base}/generations`,
      summary: 'List generations',
      description: 'Newest first.',
      query: { ...parametersOf(owner.generationListQuery), ...paging },
      answers: { 200: pageOf(owner.generationItem) },
    },
    {
      id: 'getGeneration',
      method: 'get',
      path: one,
      summary: 'Get a generation and its report',
      answers: { 200: owner.generation },
    },
    {
      id: 'cancelGeneration',
      permission: 'draft',
      method: 'post',
      path: `${one}/cancel`,
      summary: 'Cancel a generation',
      answers: { 200: owner.generation },
      errors: { 409: 'The generation has already succeeded or failed.' },
    },
    {
      id: 'watchGeneration',
      method: 'get',
      path: `${one}/events`,
      summary: 'Stream a generation’s progress',
      description:
        'A stream of server-sent events. Each event is a generation without its report, named after its status. Send `Last-Event-ID` to resume. The stream ends with the generation.',
      answers: { 200: EVENT_STREAM },
      errors: { 429: 'You have too many open streams. Wait for `Retry-After` seconds.' },
    },
    {
      id: 'createProposal',
      permission: 'draft',
      method: 'post',
      idempotent: true,
      path: `${base}/blogs/{blogId}/proposals`,
      summary: 'Generate a proposal for a post',
      description: 'Returns the generation. Once it succeeds, its `proposal_id` identifies the proposal.',
      request: owner.proposalRequest,
      answers: { 202: owner.generation },
      location: true,
      errors: { 409: 'No AI model is configured, the budget is used up, or a limit is reached.' },
    },
    {
      id: 'listProposals',
      method: 'get',
      path: `${base}/blogs/{blogId}/proposals`,
      summary: 'List a post’s proposals',
      description: 'Newest first.',
      query: paging,
      answers: { 200: pageOf(owner.proposalItem) },
    },
    {
      id: 'getProposal',
      method: 'get',
      path: `${base}/proposals/{proposalId}`,
      summary: 'Get a proposal and its changes',
      answers: { 200: owner.proposal },
      errors: {
        422: 'The comparison takes too long.',
        429: 'Your account has too much work waiting. Wait for `Retry-After` seconds.',
      },
    },
    {
      id: 'acceptProposal',
      permission: 'draft',
      method: 'post',
      path: `${base}/proposals/{proposalId}/accept`,
      summary: 'Accept a proposal',
      description: 'Updates the working copy, or creates a draft if the proposal is a translation.',
      request: owner.proposalAcceptRequest,
      requestOptional: true,
      ifMatch: true,
      answers: { 200: owner.proposalItem },
      errors: { 409: 'The proposal is already rejected, or the post changed after it was made.' },
    },
    {
      id: 'rejectProposal',
      permission: 'draft',
      method: 'post',
      path: `${base}/proposals/{proposalId}/reject`,
      summary: 'Reject a proposal',
      answers: { 200: owner.proposalItem },
      errors: { 409: 'The proposal is already accepted.' },
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
    summary: 'Get the AI model settings and usage',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 200: owner.generationSettings },
  },
  {
    id: 'setGenerationSettings',
    method: 'put',
    path: `${PROJECT}/generation-settings`,
    summary: 'Update the AI model settings',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.generationSettingsRequest,
    answers: { 200: owner.generationSettings },
    errors: { 409: 'The service is not configured to store keys.' },
  },
  {
    id: 'testGenerationModel',
    method: 'post',
    path: `${PROJECT}/generation-settings/test`,
    summary: 'Test the AI model',
    description:
      'Sends a short request to the model, saved or not. It counts toward the monthly budget. Limited to ten tests a minute.',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.modelTestRequest,
    requestOptional: true,
    answers: { 200: owner.modelTest },
    errors: { 409: 'No AI model is configured, or the monthly budget is used up.' },
  },
];

export const agentGenerationOperations: OperationRow[] = generatingOperations(AGENT, 'agentKey');
