import * as owner from '../../owner-api.ts';
import type { OperationRow } from '../operation.ts';
import { pageOf, paging, PROJECT } from './parameters.ts';

const DEPLOY_HOOK = `${PROJECT}/deploy-hook`;

/** The deploy hook of a project (contract §1.7, §4.5). */
export const deployHookOperations: OperationRow[] = [
  {
    id: 'getDeployHook',
    method: 'get',
    path: DEPLOY_HOOK,
    summary: 'Get the deploy hook',
    description: 'The URL is masked.',
    credential: 'ownerSession',
    answers: { 200: owner.deployHook },
  },
  {
    id: 'saveDeployHook',
    method: 'put',
    path: DEPLOY_HOOK,
    summary: 'Save the deploy hook',
    description: 'Creates or replaces the deploy hook. Without `url`, the saved URL is kept.',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.deployHookRequest,
    answers: { 200: owner.deployHook, 201: owner.deployHook },
  },
  {
    id: 'deleteDeployHook',
    method: 'delete',
    path: DEPLOY_HOOK,
    summary: 'Delete the deploy hook',
    description: 'Cancels waiting requests.',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 204: null },
  },
  {
    id: 'testDeployHook',
    method: 'post',
    path: `${DEPLOY_HOOK}/test`,
    summary: 'Test the deploy hook',
    description: 'Calls the hook once and returns the result.',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 200: owner.deployHookTest },
    errors: {
      409: 'A test is already running.',
      429: 'Too many tests are running, or the project started ten within a minute.',
    },
  },
  {
    id: 'listDeployHookRequests',
    method: 'get',
    path: `${DEPLOY_HOOK}/requests`,
    summary: 'List deploy hook requests',
    description: 'Newest first.',
    credential: 'ownerSession',
    query: paging,
    answers: { 200: pageOf(owner.deployHookRequestLog) },
  },
];

const INDEX_NOW = `${PROJECT}/index-now`;

/** Telling search engines what has changed (ADR 31). */
export const indexNowOperations: OperationRow[] = [
  {
    id: 'getIndexNow',
    method: 'get',
    path: INDEX_NOW,
    summary: 'Get the IndexNow status',
    description: 'Returns the key file and the result of the last ping. Returns `404` while IndexNow is off.',
    credential: 'ownerSession',
    answers: { 200: owner.indexNow },
  },
  {
    id: 'turnOnIndexNow',
    method: 'put',
    path: INDEX_NOW,
    summary: 'Turn on IndexNow',
    description: 'Creates a key. Has no effect if IndexNow is already on.',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 200: owner.indexNow, 201: owner.indexNow },
  },
  {
    id: 'turnOffIndexNow',
    method: 'delete',
    path: INDEX_NOW,
    summary: 'Turn off IndexNow',
    description: 'Deletes the key and all waiting URLs.',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 204: null },
  },
  {
    id: 'checkIndexNow',
    method: 'post',
    path: `${INDEX_NOW}/check`,
    summary: 'Check the IndexNow key file',
    description: 'Fetches the key file from the site and reports what is wrong with it. Pings start once it is found.',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 200: owner.indexNowCheck },
    errors: {
      409: 'The project has no site URL.',
      429: 'The project ran 10 checks within a minute, or too many tests are running.',
    },
  },
];
