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
    summary: 'Get the deploy hook; its URL is masked',
    credential: 'ownerSession',
    answers: { 200: owner.deployHook },
  },
  {
    id: 'saveDeployHook',
    method: 'put',
    path: DEPLOY_HOOK,
    summary: 'Save the deploy hook: make it, or replace all of it; without a URL, the saved one stays',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.deployHookRequest,
    answers: { 200: owner.deployHook, 201: owner.deployHook },
  },
  {
    id: 'deleteDeployHook',
    method: 'delete',
    path: DEPLOY_HOOK,
    summary: 'Delete the deploy hook; what waits for it is cancelled',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 204: null },
  },
  {
    id: 'testDeployHook',
    method: 'post',
    path: `${DEPLOY_HOOK}/test`,
    summary: 'Request the deploy hook once, now, and tell what came of it',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 200: owner.deployHookTest },
    errors: {
      409: 'A test is under way.',
      429: 'Too many tests are under way, or the project has made ten within a minute.',
    },
  },
  {
    id: 'listDeployHookRequests',
    method: 'get',
    path: `${DEPLOY_HOOK}/requests`,
    summary: 'Requests to the deploy hook, newest first',
    credential: 'ownerSession',
    query: paging,
    answers: { 200: pageOf(owner.deployHookRequestLog) },
  },
];

const INDEX_NOW = `${PROJECT}/index-now`;

/** Telling search engines what has changed (ADR 22). */
export const indexNowOperations: OperationRow[] = [
  {
    id: 'getIndexNow',
    method: 'get',
    path: INDEX_NOW,
    summary: 'Get the key file of IndexNow and what came of the last ping; 404 while it is off',
    credential: 'ownerSession',
    answers: { 200: owner.indexNow },
  },
  {
    id: 'turnOnIndexNow',
    method: 'put',
    path: INDEX_NOW,
    summary: 'Turn IndexNow on, with a new key; where it is on, nothing changes',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 200: owner.indexNow, 201: owner.indexNow },
  },
  {
    id: 'turnOffIndexNow',
    method: 'delete',
    path: INDEX_NOW,
    summary: 'Turn IndexNow off: the key and what waits are forgotten',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 204: null },
  },
  {
    id: 'checkIndexNow',
    method: 'post',
    path: `${INDEX_NOW}/check`,
    summary: 'Fetch the key file from the site, now, and tell what is wrong with it',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 200: owner.indexNowCheck },
    errors: {
      409: 'The project has no website.',
      429: 'The project has made 10 checks within a minute, or too many are under way.',
    },
  },
];
