import * as owner from '../../../owner-api.ts';
import type { OperationRow } from '../../operation.ts';
import { AGENT, PROJECT } from '../parameters.ts';

/** The fields that a project declares for the `data` of its posts. */
export const dataFieldOperations: OperationRow[] = [
  {
    id: 'getDataFields',
    method: 'get',
    path: `${PROJECT}/data-fields`,
    summary: 'List data fields',
    description: 'The fields that this project declares for the `data` of its posts.',
    credential: 'ownerSession',
    answers: { 200: owner.dataFields },
  },
  {
    id: 'setDataFields',
    method: 'put',
    path: `${PROJECT}/data-fields`,
    summary: 'Set data fields',
    description:
      'Replaces the whole list. No post changes: values of fields that you remove or change stay in posts until someone edits them.',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.dataFieldsRequest,
    ifMatch: true,
    answers: { 200: owner.dataFields },
  },
];

export const agentDataFieldOperations: OperationRow[] = [
  {
    id: 'getAgentDataFields',
    method: 'get',
    path: `${AGENT}/data-fields`,
    summary: 'List data fields',
    description: 'The fields that the project declares for the `data` of its posts.',
    credential: 'agentKey',
    answers: { 200: owner.dataFields },
  },
];
