import * as owner from '../../owner-api.ts';
import type { OperationRow } from '../operation.ts';
import { OWNER, pageOf, paging, PROJECT } from './parameters.ts';

const MEMBERS = `${PROJECT}/members`;
const AGENT_KEYS = `${PROJECT}/agent-keys`;

/** Projects. */
export const projectOperations: OperationRow[] = [
  {
    id: 'listProjects',
    method: 'get',
    path: `${OWNER}/projects`,
    summary: 'List your projects',
    credential: 'ownerSession',
    query: paging,
    answers: { 200: pageOf(owner.project) },
  },
  {
    id: 'createProject',
    method: 'post',
    idempotent: true,
    path: `${OWNER}/projects`,
    summary: 'Create a project',
    credential: 'ownerSession',
    request: owner.projectCreateRequest,
    answers: { 201: owner.project },
    location: true,
    errors: { 409: 'A limit is reached.' },
  },
  {
    id: 'getProject',
    method: 'get',
    path: PROJECT,
    summary: 'Get a project',
    credential: 'ownerSession',
    answers: { 200: owner.project },
  },
  {
    id: 'updateProject',
    method: 'patch',
    path: PROJECT,
    summary: 'Change a project’s name or site address',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.projectUpdateRequest,
    ifMatch: true,
    answers: { 200: owner.project },
  },
  {
    id: 'deleteProject',
    method: 'delete',
    path: PROJECT,
    summary: 'Delete a project with all its posts, keys and integrations; refused while a post is published',
    credential: 'ownerSession',
    only: 'owners',
    ifMatch: true,
    answers: { 204: null },
    errors: { 409: 'A post is published: unpublish it first, so that receivers hear of it.' },
  },
];

/** Who is a member of a project. */
export const memberOperations: OperationRow[] = [
  {
    id: 'listMembers',
    method: 'get',
    path: MEMBERS,
    summary: 'List members',
    credential: 'ownerSession',
    query: paging,
    answers: { 200: pageOf(owner.member) },
  },
  {
    id: 'addMember',
    method: 'post',
    idempotent: true,
    path: MEMBERS,
    summary: 'Add an account to the project',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.memberCreateRequest,
    answers: { 201: owner.member },
    errors: { 409: 'It is a member already, or a limit is reached.' },
  },
  {
    id: 'updateMember',
    method: 'patch',
    path: `${MEMBERS}/{accountId}`,
    summary: 'Change a member’s role',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.memberUpdateRequest,
    answers: { 200: owner.member },
    errors: { 409: 'It is the only owner.' },
  },
  {
    id: 'removeMember',
    method: 'delete',
    path: `${MEMBERS}/{accountId}`,
    summary: 'Remove a member, or leave',
    credential: 'ownerSession',
    answers: { 204: null },
    errors: { 403: 'Only owners of the project may remove others.', 409: 'It is the only owner.' },
  },
];

/** The keys of a project's agents (spec §5.1.7). */
export const agentKeyOperations: OperationRow[] = [
  {
    id: 'listAgentKeys',
    method: 'get',
    path: AGENT_KEYS,
    summary: 'List agent keys',
    credential: 'ownerSession',
    only: 'owners',
    query: paging,
    answers: { 200: pageOf(owner.agentKey) },
  },
  {
    id: 'createAgentKey',
    method: 'post',
    idempotent: true,
    path: AGENT_KEYS,
    summary: 'Make an agent key; it is shown this once',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.agentKeyCreateRequest,
    answers: { 201: owner.agentKeyCreated },
    errors: { 409: 'A limit is reached.' },
  },
  {
    id: 'updateAgentKey',
    method: 'patch',
    path: `${AGENT_KEYS}/{agentKeyId}`,
    summary: 'Change an agent key’s name or expiry',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.agentKeyUpdateRequest,
    answers: { 200: owner.agentKey },
  },
  {
    id: 'revokeAgentKey',
    method: 'delete',
    path: `${AGENT_KEYS}/{agentKeyId}`,
    summary: 'Revoke an agent key: it stops working at once',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 204: null },
  },
];
