import { secretBoxKeys, sessionJwks } from '@blog-content/credentials';
import { imageStorageEnvironment, needsOfImageStorage } from '@blog-content/image-storage';
import { baseEnvironment, integerVariable, listVariable, secret } from '@blog-content/service-runtime';
import { z } from 'zod';

/** The environment of this service; docs/configuration.md has the table. */
export const environment = z
  .object({
    ...baseEnvironment,
    OWNER_SESSION_JWKS: sessionJwks.describe('Public keys that verify owner sessions, as a JWKS.'),
    ENCRYPTION_KEYS: secret(secretBoxKeys).describe(
      'Keys that encrypt secrets at rest, as comma-separated id:base64 pairs. The first one encrypts, all decrypt.',
    ),
    READ_CACHE_MB: integerVariable({ min: 0, max: 65_536, default: 64 }).describe(
      'Memory for cached responses, in MB. 0 turns the cache off.',
    ),
    RATE_LIMIT_PER_MINUTE: integerVariable({ min: 0, max: 1_000_000, default: 0 }).describe(
      'Requests per minute and public key, in each process. 0 means unlimited.',
    ),
    CORS_ORIGINS: listVariable({
      default: [],
      item: /^(?:\*|https?:\/\/[^\s/]+)$/,
      expected: 'must be comma-separated origins such as https://example.com, or *',
    }).describe('Origins whose scripts may read the public API; `*` for all. Defaults to none.'),
    DATABASE_POOL_SIZE: integerVariable({ min: 1, max: 500, default: 7 }).describe(
      'Maximum database connections for readers, besides eight for everything else.',
    ),
    IMAGE_MB_PER_S: integerVariable({ min: 0, max: 10_000, default: 32 }).describe(
      'Maximum image traffic per second, in MB, in each process. 0 means unlimited.',
    ),
    ...imageStorageEnvironment,
  })
  .superRefine(needsOfImageStorage);
export type Config = Readonly<z.infer<typeof environment>>;
