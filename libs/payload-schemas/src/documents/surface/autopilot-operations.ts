import * as owner from '../../owner-api.ts';
import type { OperationRow } from '../operation.ts';
import { pageOf, paging, parametersOf, PROJECT } from './parameters.ts';

const AUTOPILOT = `${PROJECT}/autopilot`;
const TOPICS = `${AUTOPILOT}/topics`;
const TOPIC = `${TOPICS}/{topicId}`;
const credential = 'ownerSession';
const off = { 409: 'The autopilot is off.' };
const full = { 409: 'A limit is reached.' };
const taken = { 409: 'Its post is being written, or is made.' };

/** The autopilot of a project: for its members; its settings for owners. */
export const autopilotOperations: OperationRow[] = [
  {
    id: 'getAutopilot',
    method: 'get',
    path: AUTOPILOT,
    summary: 'Get the autopilot’s settings and how it stands',
    credential,
    answers: { 200: owner.autopilot },
  },
  {
    id: 'setAutopilot',
    method: 'put',
    path: AUTOPILOT,
    summary: 'Set up the autopilot, turn it on or off',
    credential,
    only: 'owners',
    request: owner.autopilotRequest,
    answers: { 200: owner.autopilot },
  },
  {
    id: 'pauseAutopilot',
    method: 'post',
    path: `${AUTOPILOT}/pause`,
    summary: 'Pause the autopilot; posts in their review window stay drafts',
    credential,
    answers: { 200: owner.autopilot },
    errors: off,
  },
  {
    id: 'resumeAutopilot',
    method: 'post',
    path: `${AUTOPILOT}/resume`,
    summary: 'Go on after a pause or a stop',
    credential,
    answers: { 200: owner.autopilot },
    errors: off,
  },
  {
    id: 'listAutopilotTopics',
    method: 'get',
    path: TOPICS,
    summary: 'List topics, the next one first',
    credential,
    query: { ...parametersOf(owner.autopilotTopicListQuery), ...paging },
    answers: { 200: pageOf(owner.autopilotTopicItem) },
  },
  {
    id: 'addAutopilotTopics',
    method: 'post',
    idempotent: true,
    path: TOPICS,
    summary: 'Add topics to the end of the queue',
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
    summary: 'Add topics from CSV',
    credential,
    request: owner.autopilotTopicImportRequest,
    answers: { 201: owner.autopilotTopicsAdded },
    errors: full,
  },
  {
    id: 'suggestAutopilotTopics',
    method: 'post',
    path: `${TOPICS}/suggest`,
    summary: 'Suggest ten topics that the project has no post about; none is added',
    credential,
    answers: { 200: owner.autopilotSuggestions },
  },
  {
    id: 'updateAutopilotTopic',
    method: 'patch',
    path: TOPIC,
    summary: 'Edit a topic that waits, or put one back into the queue',
    credential,
    request: owner.autopilotTopicUpdateRequest,
    answers: { 200: owner.autopilotTopicItem },
    errors: taken,
  },
  {
    id: 'moveAutopilotTopic',
    method: 'post',
    path: `${TOPIC}/move`,
    summary: 'Move a topic that waits',
    credential,
    request: owner.autopilotTopicMoveRequest,
    answers: { 200: owner.autopilotTopicItem },
    errors: taken,
  },
  {
    id: 'deleteAutopilotTopic',
    method: 'delete',
    path: TOPIC,
    summary: 'Delete a topic whose post is not being written',
    credential,
    answers: { 204: null },
    errors: { 409: 'Its post is being written.' },
  },
];
