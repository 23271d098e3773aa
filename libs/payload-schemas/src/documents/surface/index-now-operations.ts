import * as owner from '../../owner-api.ts';
import type { OperationRow } from '../operation.ts';
import { PROJECT } from './parameters.ts';

const INDEX_NOW = `${PROJECT}/index-now`;

/** Telling search engines what has changed (ADR 37). */
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
    errors: { 409: 'The project has no website.', 429: 'Too many checks are under way.' },
  },
];
