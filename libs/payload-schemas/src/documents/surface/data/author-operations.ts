import { author, authorCreateRequest, authorUpdateRequest } from '../../../owner-api.ts';
import type { OperationRow } from '../../operation.ts';
import { AGENT, pageOf, paging, PROJECT } from '../parameters.ts';

const AUTHORS = `${PROJECT}/authors`;
const ONE = `${AUTHORS}/{authorId}`;

/** The people who write a project's posts. */
export const authorOperations: OperationRow[] = [
  {
    id: 'listAuthors',
    method: 'get',
    path: AUTHORS,
    summary: 'List authors',
    credential: 'ownerSession',
    query: paging,
    answers: { 200: pageOf(author) },
  },
  {
    id: 'createAuthor',
    method: 'post',
    idempotent: true,
    path: AUTHORS,
    summary: 'Create an author',
    credential: 'ownerSession',
    request: authorCreateRequest,
    answers: { 201: author },
    errors: { 409: 'The slug or the member is taken, or a limit is reached.' },
  },
  {
    id: 'getAuthor',
    method: 'get',
    path: ONE,
    summary: 'Get an author',
    credential: 'ownerSession',
    answers: { 200: author },
  },
  {
    id: 'updateAuthor',
    method: 'patch',
    path: ONE,
    summary: 'Update an author',
    credential: 'ownerSession',
    request: authorUpdateRequest,
    answers: { 200: author },
    errors: { 409: 'The slug or the member is taken, or a limit is reached.' },
  },
  {
    id: 'deleteAuthor',
    method: 'delete',
    path: ONE,
    summary: 'Delete an author',
    credential: 'ownerSession',
    answers: { 204: null },
  },
];

/** What agents can read of authors. */
export const agentAuthorOperations: OperationRow[] = [
  {
    id: 'agentListAuthors',
    method: 'get',
    path: `${AGENT}/authors`,
    summary: 'List authors',
    credential: 'agentKey',
    query: paging,
    answers: { 200: pageOf(author) },
  },
];
