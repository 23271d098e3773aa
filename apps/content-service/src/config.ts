import { MAX_SESSION_TTL_S, sessionPrivateJwk } from '@blog-content/credentials';
import { imageStorageEnvironment, needsOfImageStorage } from '@blog-content/image-storage';
import { withoutTrailingSlashes } from '@blog-content/link-resolver';
import {
  baseEnvironment,
  booleanVariable,
  integerVariable,
  listVariable,
  secret,
  urlVariable,
} from '@blog-content/service-runtime';
import { z } from 'zod';
import { emailEnvironment, needsOfEmail } from './email/email-environment.ts';
import { generationEnvironment } from './generation/generation-environment.ts';

/** The environment of this service; README.md has the table. */
export const environment = z
  .object({
    ...baseEnvironment,
    OWNER_SESSION_PRIVATE_JWK: secret(sessionPrivateJwk).describe(
      'Private key (JSON Web Key) that signs owner sessions.',
    ),
    BOOTSTRAP_OWNER_EMAIL: z.email().max(320).describe('Email of the first owner; the account is made at start.'),
    BOOTSTRAP_OWNER_PASSWORD: secret(z.string().min(12, 'must have at least 12 characters').max(1_000)).describe(
      'Password of the first owner, set at start.',
    ),
    SESSION_TTL_S: integerVariable({ min: 60, max: MAX_SESSION_TTL_S, default: 1_800 }).describe(
      'How long an owner session is valid, in seconds.',
    ),
    SCHEDULE_POLL_MS: integerVariable({ min: 50, max: 60_000, default: 1_000 }).describe(
      'How often due schedules are looked for, in milliseconds.',
    ),
    IMPORT_POLL_MS: integerVariable({ min: 50, max: 60_000, default: 1_000 }).describe(
      'How often waiting files of imports are looked for, in milliseconds.',
    ),
    WRITES_PER_MINUTE: integerVariable({ min: 1, max: 1_000_000, default: 6_000 }).describe(
      'Most writes of one credential (a session, an agent key) to one replica in a minute; more are answered 429.',
    ),
    TRUSTED_PROXY_HOPS: integerVariable({ min: 0, max: 10, default: 0 }).describe(
      'How many proxies stand in front of the service: sign-ins are counted by the address that they name.',
    ),
    FETCH_ALLOWED_RANGES: listVariable({ default: [] }).describe(
      'Address ranges (CIDR) that may be fetched from although they are not public; for development and tests.',
    ),
    FETCH_REFUSED_RANGES: listVariable({ default: [] }).describe(
      'Address ranges (CIDR) that are never fetched from, though they are public: those of the operator.',
    ),
    FETCH_ALLOW_HTTP: booleanVariable({ default: false }).describe(
      'Whether plain http: URLs are fetched; for development and tests.',
    ),
    IMAGE_QUOTA_IMAGES: integerVariable({ min: 1, max: 1_000_000, default: 20_000 }).describe(
      'Most images of a project.',
    ),
    IMAGE_QUOTA_MIB: integerVariable({ min: 1, max: 10_000_000, default: 5_120 }).describe(
      'Most MiB of the originals of a project’s images.',
    ),
    IMAGE_UNUSED_DAYS: integerVariable({ min: 1, max: 3_650, default: 30 }).describe(
      'How long an image is kept that no post uses, in days.',
    ),
    IMAGE_POLL_MS: integerVariable({ min: 50, max: 60_000, default: 5_000 }).describe(
      'How often missing variants of images are looked for, in milliseconds.',
    ),
    IMAGE_ENCODER_MEMORY_MIB: integerVariable({ min: 128, max: 65_536, default: 1_792 }).describe(
      'Most memory of the process that reads a large image, one at a time; beside it there are three of at most 640.',
    ),
    DATABASE_POOL_SIZE: integerVariable({ min: 2, max: 100, default: 10 }).describe(
      'Most connections to the database.',
    ),
    IMAGE_BASE_URL: urlVariable({ protocols: ['http:', 'https:'], example: 'https://blog.example.com/images' })
      .transform(withoutTrailingSlashes)
      .describe('What stands before the keys of images in their public URLs: public-read-service, or a CDN before it.'),
    ...imageStorageEnvironment,
    ...generationEnvironment,
    ...emailEnvironment,
  })
  .superRefine(needsOfImageStorage)
  .superRefine(needsOfEmail);
export type Config = Readonly<z.infer<typeof environment>>;
