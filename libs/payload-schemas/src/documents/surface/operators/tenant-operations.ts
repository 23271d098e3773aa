import * as owner from '../../../owner-api.ts';
import type { OperationRow } from '../../operation.ts';
import { OWNER, pageOf, paging, parametersOf } from '../parameters.ts';

const NO_PROJECT = { 404: 'Not found.' };

/** Every project of the installation, for the administrator. */
export const tenantOperations: OperationRow[] = [
  {
    id: 'listTenants',
    method: 'get',
    path: `${OWNER}/tenants`,
    summary: 'List all projects',
    credential: 'ownerSession',
    only: 'administrator',
    query: { ...parametersOf(owner.tenantListQuery), ...paging },
    answers: { 200: pageOf(owner.tenant) },
  },
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
  {
    id: 'setProjectQuotas',
    method: 'put',
    path: `${OWNER}/tenants/{projectId}/quotas`,
    summary: 'Set the quotas of a project',
    description:
      'Replaces all three. What exceeds a quota answers `409` with the title “Quota reached”, and a scheduled publish waits until the next 00:00 UTC. A quota below what is used deletes nothing.',
    credential: 'ownerSession',
    only: 'administrator',
    request: owner.quotas,
    answers: { 200: owner.quotas },
    errors: NO_PROJECT,
  },
  {
    id: 'setAccountQuotas',
    method: 'put',
    path: `${OWNER}/accounts/{accountId}/quotas`,
    summary: 'Set the quotas of an account',
    description:
      'Replaces all three. They limit all projects together that the account owns; a project with several owners counts for each.',
    credential: 'ownerSession',
    only: 'administrator',
    request: owner.quotas,
    answers: { 200: owner.quotas },
    errors: NO_PROJECT,
  },
];

/** What each service says of its own parked events. */
const parkedOperations = (name: string, service: string): OperationRow[] => [
  {
    id: `list${name}ParkedEvents`,
    method: 'get',
    path: `${OWNER}/operator/${service}/parked-events`,
    summary: 'List parked events',
    description: `Events that ${service} couldn't process. Each names its project and post.`,
    credential: 'ownerSession',
    only: 'administrator',
    answers: { 200: owner.parkedEvents },
  },
  {
    id: `retry${name}ParkedEvents`,
    method: 'post',
    path: `${OWNER}/operator/${service}/parked-events/retry`,
    summary: 'Retry parked events',
    description: 'Tries the events of a key within five seconds. Listing them shows the result.',
    credential: 'ownerSession',
    only: 'administrator',
    request: owner.parkedRetryRequest,
    answers: { 204: null },
    errors: { 404: 'Nothing of this key is parked.' },
  },
  {
    id: `skip${name}ParkedEvent`,
    method: 'post',
    path: `${OWNER}/operator/${service}/parked-events/skip`,
    summary: 'Skip a parked event',
    description: 'Deletes it permanently: what it says is never applied. Events behind it are processed.',
    credential: 'ownerSession',
    only: 'administrator',
    request: owner.parkedSkipRequest,
    answers: { 204: null },
    errors: { 404: 'No parked event has this ID.', 409: 'Other events of its key come first.' },
  },
];

export const contentOperatorOperations: OperationRow[] = parkedOperations('Content', 'content-service');

export const readOperatorOperations: OperationRow[] = [
  {
    id: 'listTenantRequests',
    method: 'get',
    path: `${OWNER}/operator/public-read-service/requests`,
    summary: 'List projects by their requests',
    description: 'The most first. A project without requests is listed only if you name it.',
    credential: 'ownerSession',
    only: 'administrator',
    query: { ...parametersOf(owner.tenantUseQuery), ...paging },
    answers: { 200: pageOf(owner.tenantRequests) },
  },
  ...parkedOperations('Read', 'public-read-service'),
];

export const dispatchOperatorOperations: OperationRow[] = [
  {
    id: 'listTenantReceivers',
    method: 'get',
    path: `${OWNER}/operator/webhook-dispatcher/failing-receivers`,
    summary: 'List projects with failing receivers',
    description: 'Those with the most first.',
    credential: 'ownerSession',
    only: 'administrator',
    query: { ...parametersOf(owner.tenantUseQuery), ...paging },
    answers: { 200: pageOf(owner.tenantReceivers) },
  },
  ...parkedOperations('Dispatch', 'webhook-dispatcher'),
];
