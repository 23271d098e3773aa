import { z } from 'zod';
import * as owner from '../../owner-api.ts';
import type { OperationRow } from '../operation.ts';
import { pageOf, paging, PROJECT } from './parameters.ts';

const WEBHOOKS = `${PROJECT}/webhooks`;
/** Webhook integrations and the log of their deliveries. */
export const integrationOperations: OperationRow[] = [
  {
    id: 'listWebhooks',
    method: 'get',
    path: WEBHOOKS,
    summary: 'List webhook integrations',
    credential: 'ownerSession',
    query: paging,
    answers: { 200: pageOf(owner.integration) },
  },
  {
    id: 'createWebhook',
    method: 'post',
    path: WEBHOOKS,
    summary: 'Add a webhook integration',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.integrationCreateRequest,
    answers: { 201: owner.integration },
  },
  {
    id: 'getWebhook',
    method: 'get',
    path: `${WEBHOOKS}/{integrationId}`,
    summary: 'Get a webhook integration',
    credential: 'ownerSession',
    answers: { 200: owner.integration },
  },
  {
    id: 'updateWebhook',
    method: 'patch',
    path: `${WEBHOOKS}/{integrationId}`,
    summary: 'Change a webhook integration; a new secret signs from the next request on',
    credential: 'ownerSession',
    only: 'owners',
    request: owner.integrationUpdateRequest,
    answers: { 200: owner.integration },
  },
  {
    id: 'deleteWebhook',
    method: 'delete',
    path: `${WEBHOOKS}/{integrationId}`,
    summary: 'Delete a webhook integration',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 204: null },
  },
  {
    id: 'listDeliveries',
    method: 'get',
    path: `${PROJECT}/deliveries`,
    summary: 'Delivery log, newest first',
    credential: 'ownerSession',
    query: {
      integration_id: { schema: z.uuid(), description: 'Only deliveries to this receiver.' },
      blog_id: { schema: z.uuid(), description: 'Only deliveries of this blog.' },
      ...paging,
    },
    answers: { 200: pageOf(owner.delivery) },
  },
  {
    id: 'getDelivery',
    method: 'get',
    path: `${PROJECT}/deliveries/{deliveryId}`,
    summary: 'Get a delivery with its attempts',
    credential: 'ownerSession',
    answers: { 200: owner.delivery },
  },
];
