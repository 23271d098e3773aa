import { secretBoxKeys, sessionJwks } from '@blog-content/credentials';
import { baseEnvironment, integerVariable, secret } from '@blog-content/service-runtime';
import { z } from 'zod';

/** The environment of this service; README.md has it as a table. */
export const environment = z.object({
  ...baseEnvironment,
  OWNER_SESSION_JWKS: sessionJwks.describe('Public keys that owner sessions are verified with, as a JWKS.'),
  ENCRYPTION_KEYS: secret(secretBoxKeys).describe(
    'Keys that public keys are encrypted with at rest, as id:base64 pairs with commas between; the first encrypts.',
  ),
  DATABASE_POOL_SIZE: integerVariable({ min: 1, max: 500, default: 10 }).describe(
    'Most database connections for requests; the projection has 4 of its own.',
  ),
});
