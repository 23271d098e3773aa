import * as owner from '../../../owner-api.ts';
import type { OperationRow } from '../../operation.ts';
import { OWNER } from '../parameters.ts';

const NO_PROJECT = { 404: 'Not found.' };

/** Every project of the installation, for the administrator. */
export const tenantOperations: OperationRow[] = [
  {
    id: 'suspendProject',
    method: 'put',
    path: `${OWNER}/tenants/{projectId}/suspension`,
    summary: 'Suspend a project',
    description:
      'Writes of the project answer 403, schedules, autopilot, generation and imports wait, and nothing is delivered. With scope `all`, the public API answers 403 too. Repeat it to change the scope or the reason.',
    credential: 'ownerSession',
    only: 'administrator',
    request: owner.suspensionRequest,
    answers: { 200: owner.suspension },
    errors: NO_PROJECT,
  },
  {
    id: 'resumeProject',
    method: 'delete',
    path: `${OWNER}/tenants/{projectId}/suspension`,
    summary: 'Resume a project',
    description: 'What waited continues: each pending delivery is sent, and overdue schedules publish.',
    credential: 'ownerSession',
    only: 'administrator',
    answers: { 204: null },
    errors: NO_PROJECT,
  },
];
