import * as owner from '../../owner-api.ts';
import { TEXT, ZIP, type OperationRow } from '../operation.ts';
import { pageOf, paging, parametersOf, PROJECT } from './parameters.ts';

const IMPORTS = `${PROJECT}/imports`;

const REPORT = `Import 1c9d3a52-6f0e-4c57-9a3b-2b8f6f1d7e90
Started 2026-03-01 08:00 UTC, finished 2026-03-01 08:01 UTC
2 created, 0 updated, 0 skipped, 0 failed

Imported, with notes: 1
  posts/soup.md
    Kept as a draft: \`status: pending\` (line 4). Not imported: mood, series.

Imported in full: 1
  posts/bread.md
`;

/** Posts in and out as files: nobody's are locked in. */
export const transferOperations: OperationRow[] = [
  {
    id: 'createImport',
    method: 'post',
    idempotent: true,
    path: IMPORTS,
    summary: 'Import a ZIP archive',
    description: 'The archive holds Markdown or HTML files with YAML, JSON or TOML front matter.',
    credential: 'ownerSession',
    query: parametersOf(owner.importQuery),
    request: ZIP,
    answers: { 202: owner.importJob },
    location: true,
  },
  {
    id: 'planImport',
    method: 'post',
    path: `${IMPORTS}/plan`,
    summary: 'Preview an import',
    description: 'Returns what an import would do, without importing anything.',
    credential: 'ownerSession',
    query: parametersOf(owner.importQuery),
    request: ZIP,
    answers: { 200: owner.importPlan },
  },
  {
    id: 'listImports',
    method: 'get',
    path: IMPORTS,
    summary: 'List imports',
    description: 'Newest first.',
    credential: 'ownerSession',
    query: paging,
    answers: { 200: pageOf(owner.importJob) },
  },
  {
    id: 'getImport',
    method: 'get',
    path: `${IMPORTS}/{importId}`,
    summary: 'Get an import’s progress',
    credential: 'ownerSession',
    answers: { 200: owner.importJob },
  },
  {
    id: 'listImportFiles',
    method: 'get',
    path: `${IMPORTS}/{importId}/files`,
    summary: 'List an import’s files',
    credential: 'ownerSession',
    query: paging,
    answers: { 200: pageOf(owner.importFile) },
  },
  {
    id: 'getImportReport',
    method: 'get',
    path: `${IMPORTS}/{importId}/report`,
    summary: 'Get an import’s report',
    description: 'A plain-text report: the result for each file, and anything its post lost.',
    credential: 'ownerSession',
    answers: { 200: TEXT },
    example: REPORT,
  },
  {
    id: 'exportProject',
    method: 'get',
    path: `${PROJECT}/export`,
    summary: 'Export a project',
    description: 'A ZIP archive with posts as files for site generators, all images, and all data as JSON.',
    credential: 'ownerSession',
    query: parametersOf(owner.exportQuery),
    answers: { 200: ZIP },
  },
  {
    id: 'exportProjectWithWebhooks',
    method: 'post',
    path: `${PROJECT}/export`,
    summary: 'Export everything, with webhooks',
    description: 'The same archive with `data/webhooks.json`. List the webhooks first and include them in the request.',
    credential: 'ownerSession',
    query: parametersOf(owner.exportQuery),
    request: owner.exportRequest,
    answers: { 200: ZIP },
  },
];
