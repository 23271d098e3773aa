import { z } from 'zod';
import type { OperationRow } from '../operation.ts';
import { OWNER } from './parameters.ts';

/** What the service says of itself. */
export const serviceOperations: OperationRow[] = [
  {
    id: 'getSessionKeys',
    method: 'get',
    path: `${OWNER}/jwks.json`,
    summary: 'Get the session signing keys',
    description: 'A JWK Set (RFC 7517) that verifies session tokens.',
    credential: 'none',
    answers: {
      200: z.object({
        keys: z.array(z.record(z.string(), z.json())).meta({
          description: 'JSON Web Keys.',
          examples: [
            [
              {
                kty: 'OKP',
                crv: 'Ed25519',
                x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
                kid: 'k1',
                alg: 'EdDSA',
                use: 'sig',
              },
            ],
          ],
        }),
      }),
    },
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/blog/api/v1/openapi.json',
    summary: 'Get this document',
    credential: 'none',
    ifNoneMatch: true,
    answers: { 200: z.record(z.string(), z.json()) },
  },
];
