import * as owner from '../../../owner-api.ts';
import type { OperationRow } from '../../operation.ts';
import { AGENT, PROJECT } from '../parameters.ts';

/** What a project's generations and proposals go by. */
export const brandVoiceOperations: OperationRow[] = [
  {
    id: 'getBrandVoice',
    method: 'get',
    path: `${PROJECT}/brand-voice`,
    summary: 'Get the brand voice',
    description: 'The notes and sources that every generation and proposal of this project uses.',
    credential: 'ownerSession',
    answers: { 200: owner.brandVoice },
  },
  {
    id: 'setBrandVoice',
    method: 'put',
    path: `${PROJECT}/brand-voice`,
    summary: 'Set the brand voice',
    description:
      'Replaces all notes and sources; what you leave out is empty. Generations that have started keep the version they started with.',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.brandVoiceRequest,
    ifMatch: true,
    answers: { 200: owner.brandVoice },
  },
];

export const agentBrandVoiceOperations: OperationRow[] = [
  {
    id: 'getAgentBrandVoice',
    method: 'get',
    path: `${AGENT}/brand-voice`,
    summary: 'Get the brand voice',
    description: 'The notes and sources to follow when you write for this project.',
    credential: 'agentKey',
    answers: { 200: owner.brandVoice },
  },
];
