import { z } from 'zod';
import * as owner from '../../owner-api.ts';
import type { OperationRow } from '../operation.ts';
import { PROJECT } from './parameters.ts';

const KEY = `${PROJECT}/public-key`;
/** The owner's operations on the public key (contract §5.1). */
export const publicKeyOperations: OperationRow[] = [
  {
    id: 'getPublicKey',
    method: 'get',
    path: KEY,
    summary: 'Reveal the public key',
    credential: 'ownerSession',
    answers: { 200: owner.publicKey },
  },
  {
    id: 'createPublicKey',
    method: 'post',
    path: KEY,
    summary: 'Generate the public key',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 201: owner.publicKey },
    errors: { 409: 'The project already has a key.' },
  },
  {
    id: 'rotatePublicKey',
    method: 'post',
    path: `${KEY}/rotate`,
    summary: 'Rotate the public key',
    description: 'The old key stops working immediately.',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 200: owner.publicKey },
  },
  {
    id: 'revokePublicKey',
    method: 'delete',
    path: KEY,
    summary: 'Revoke the public key',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 204: null },
  },
  {
    id: 'getPublicKeyUsage',
    method: 'get',
    path: `${KEY}/usage`,
    summary: 'Get public key usage',
    description: 'Requests by day, and when the key was last used.',
    credential: 'ownerSession',
    query: {
      days: {
        schema: z.int().min(owner.USAGE_DAYS.min).max(owner.USAGE_DAYS.max).default(owner.USAGE_DAYS.default),
        description: 'Number of days, including today.',
      },
    },
    answers: { 200: owner.publicKeyUsage },
  },
];
