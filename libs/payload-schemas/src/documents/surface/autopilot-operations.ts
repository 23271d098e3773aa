import * as owner from '../../owner-api.ts';
import type { OperationRow } from '../operation.ts';
import { pageOf, paging, parametersOf, PROJECT } from './parameters.ts';

const AUTOPILOT = `${PROJECT}/autopilot`;
const TOPICS = `${AUTOPILOT}/topics`;
const TOPIC = `${TOPICS}/{topicId}`;
const credential = 'ownerSession';
const off = { 409: 'The autopilot is off.' };
const full = { 409: 'A limit is reached.' };
const taken = { 409: 'The post is already being written or finished.' };

/** The autopilot of a project: for its members; its settings for owners. */
export const autopilotOperations: OperationRow[] = [
  {
    id: 'getAutopilot',
    method: 'get',
    path: AUTOPILOT,
    summary: 'Get the autopilot’s settings and status',
    credential,
    answers: { 200: owner.autopilot },
  },
  {
    id: 'setAutopilot',
    method: 'put',
    path: AUTOPILOT,
    summary: 'Configure the autopilot',
    description: 'Also turns it on or off.',
    credential,
    only: 'owners',
    request: owner.autopilotRequest,
    answers: { 200: owner.autopilot },
  },
  {
    id: 'pauseAutopilot',
    method: 'post',
    path: `${AUTOPILOT}/pause`,
    summary: 'Pause the autopilot',
    description: 'Posts in their review window stay drafts.',
    credential,
    answers: { 200: owner.autopilot },
    errors: off,
  },
  {
    id: 'resumeAutopilot',
    method: 'post',
    path: `${AUTOPILOT}/resume`,
    summary: 'Resume the autopilot',
    description: 'Continues after a pause or an automatic stop.',
    credential,
    answers: { 200: owner.autopilot },
    errors: off,
  },
  {
    id: 'listAutopilotTopics',
    method: 'get',
    path: TOPICS,
    summary: 'List topics in queue order',
    credential,
    query: { ...parametersOf(owner.autopilotTopicListQuery), ...paging },
    answers: { 200: pageOf(owner.autopilotTopicItem) },
  },
  {
    id: 'addAutopilotTopics',
    method: 'post',
    idempotent: true,
    path: TOPICS,
    summary: 'Add topics to the queue',
    credential,
    request: owner.autopilotTopicsRequest,
    answers: { 201: owner.autopilotTopicsAdded },
    errors: full,
  },
  {
    id: 'importAutopilotTopics',
    method: 'post',
    idempotent: true,
    path: `${TOPICS}/import`,
    summary: 'Import topics from CSV',
    credential,
    request: owner.autopilotTopicImportRequest,
    answers: { 201: owner.autopilotTopicsAdded },
    errors: full,
  },
  {
    id: 'suggestAutopilotTopics',
    method: 'post',
    path: `${TOPICS}/suggest`,
    summary: 'Suggest topics',
    description: 'Returns up to ten topics that the project has no post about. None is added.',
    credential,
    answers: { 200: owner.autopilotSuggestions },
  },
  {
    id: 'updateAutopilotTopic',
    method: 'patch',
    path: TOPIC,
    summary: 'Update or requeue a topic',
    credential,
    request: owner.autopilotTopicUpdateRequest,
    answers: { 200: owner.autopilotTopicItem },
    errors: taken,
  },
  {
    id: 'moveAutopilotTopic',
    method: 'post',
    path: `${TOPIC}/move`,
    summary: 'Move a topic in the queue',
    credential,
    request: owner.autopilotTopicMoveRequest,
    answers: { 200: owner.autopilotTopicItem },
    errors: taken,
  },
  {
    id: 'deleteAutopilotTopic',
    method: 'delete',
    path: TOPIC,
    summary: 'Delete a topic',
    credential,
    answers: { 204: null },
    errors: { 409: 'The post is being written.' },
  },
];
