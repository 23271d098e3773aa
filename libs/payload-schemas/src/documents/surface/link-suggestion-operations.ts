import * as owner from '../../owner-api.ts';
import type { OperationRow } from '../operation.ts';
import { AGENT, parametersOf, PROJECT } from './parameters.ts';

const busy = { 429: 'Your account has too much work waiting. Wait for `Retry-After` seconds.' };

const operationsAt = (base: string): Omit<OperationRow, 'credential'>[] => [
  {
    id: 'suggestLinks',
    method: 'get',
    path: `${base}/blogs/link-suggestions`,
    summary: 'Suggest internal links',
    description: 'Finds phrases in a short text or a working copy that could link to your published posts.',
    query: {
      ...parametersOf(owner.linkSuggestionQuery),
      limit: { schema: owner.suggestionLimit, description: 'Maximum number of suggestions.' },
    },
    answers: { 200: owner.linkSuggestions },
    errors: { 404: 'Post not found.', 422: 'The text takes too long to analyze.', ...busy },
  },
  {
    id: 'suggestLinksForText',
    permission: 'draft',
    method: 'post',
    path: `${base}/blogs/link-suggestions`,
    summary: 'Suggest internal links for a text',
    description: 'Finds phrases in the text that could link to your published posts.',
    request: owner.linkSuggestionRequest,
    answers: { 200: owner.linkSuggestions },
    errors: busy,
  },
];

/** Which published posts fit where in a text: for members of a project. */
export const linkSuggestionOperations: OperationRow[] = operationsAt(PROJECT).map((operation) => ({
  ...operation,
  credential: 'ownerSession',
}));

/** The same for agents. */
export const agentLinkSuggestionOperations: OperationRow[] = operationsAt(AGENT).map((operation) => ({
  ...operation,
  id: `agent${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}`,
  credential: 'agentKey',
}));
