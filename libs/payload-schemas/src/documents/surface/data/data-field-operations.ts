import * as owner from '../../../owner-api.ts';
import type { OperationRow } from '../../operation.ts';
import { AGENT, PROJECT } from '../parameters.ts';

const reading = {
  method: 'get',
  summary: 'List data fields',
  description: 'The fields that the project declares for the `data` of its posts.',
  answers: { 200: owner.dataFields },
} as const;

/** The fields that a project declares for the `data` of its posts. */
export const dataFieldOperations: OperationRow[] = [
  {
    ...reading,
    id: 'getDataFields',
    path: `${PROJECT}/data-fields`,
    credential: 'ownerSession',
  },
  {
    id: 'setDataFields',
    method: 'put',
    path: `${PROJECT}/data-fields`,
    summary: 'Set data fields',
    description:
      'Replaces the whole list. No post changes: values of fields that you remove or change stay in posts until someone edits them. The next publish of a post leaves out values that no field takes any more.',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.dataFieldsRequest,
    ifMatch: true,
    answers: { 200: owner.dataFields },
  },
];

export const agentDataFieldOperations: OperationRow[] = [
  {
    ...reading,
    id: 'getAgentDataFields',
    path: `${AGENT}/data-fields`,
    credential: 'agentKey',
  },
];
