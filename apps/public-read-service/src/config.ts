import { secretBoxKeys, sessionJwks } from '@blog-content/credentials';
import { imageStorageEnvironment, needsOfImageStorage } from '@blog-content/image-storage';
import { baseEnvironment, integerVariable, listVariable, secret } from '@blog-content/service-runtime';
import { z } from 'zod';

/** The environment of this service; README.md has it as a table. */
export const environment = z
  .object({
    ...baseEnvironment,
    OWNER_SESSION_JWKS: sessionJwks.describe('Public keys that owner sessions are verified with, as a JWKS.'),
    ENCRYPTION_KEYS: secret(secretBoxKeys).describe(
      'Keys that public keys are encrypted with at rest, as id:base64 pairs with commas between; the first encrypts.',
    ),
    READ_CACHE_MB: integerVariable({ min: 0, max: 65_536, default: 64 }).describe(
      'Most memory for answers kept ready, in MiB; 0 keeps none.',
    ),
    RATE_LIMIT_PER_MINUTE: integerVariable({ min: 0, max: 1_000_000, default: 0 }).describe(
      'Most requests a minute with one public key, in each process; 0 sets no limit.',
    ),
    CORS_ORIGINS: listVariable({
      default: [],
      item: /^(?:\*|https?:\/\/[^\s/]+)$/,
      expected: 'must be origins such as https://example.com with commas between them, or *',
    }).describe('Web pages whose scripts may read the public API, by origin; * for all. None unless given.'),
    DATABASE_POOL_SIZE: integerVariable({ min: 1, max: 500, default: 7 }).describe(
      'Most database connections for readers, beside eight for all else.',
    ),
    IMAGE_MB_PER_S: integerVariable({ min: 0, max: 10_000, default: 32 }).describe(
      'Most of images that is sent in a second, in MiB, in each process; 0 sets no limit.',
    ),
    ...imageStorageEnvironment,
  })
  .superRefine(needsOfImageStorage);
export type Config = Readonly<z.infer<typeof environment>>;
