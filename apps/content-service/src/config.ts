import { MAX_SESSION_TTL_S, sessionJwks, sessionPrivateJwk } from '@blog-content/credentials';
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
import { needsOfSessions } from './accounts/sessions/session-keys.ts';
import { emailEnvironment, needsOfEmail } from './email/email-environment.ts';
import { generationEnvironment } from './generation/generation-environment.ts';

/** The environment of this service; docs/configuration.md has the table. */
export const environment = z
  .object({
    ...baseEnvironment,
    OWNER_SESSION_PRIVATE_JWK: secret(sessionPrivateJwk).describe(
      'Private key (JSON Web Key) that signs owner sessions.',
    ),
    OWNER_SESSION_JWKS: sessionJwks
      .optional()
      .describe('Public keys that verify owner sessions, as a JWKS. Defaults to that of OWNER_SESSION_PRIVATE_JWK.'),
    BOOTSTRAP_OWNER_EMAIL: z
      .email()
      .max(320)
      .describe('Email of the first owner, an administrator whose account is created at startup.'),
    BOOTSTRAP_OWNER_PASSWORD: secret(z.string().min(12, 'must have at least 12 characters').max(1_000)).describe(
      'Password of the first owner. A new value changes it at startup.',
    ),
    SESSION_TTL_S: integerVariable({ min: 60, max: MAX_SESSION_TTL_S, default: 1_800 }).describe(
      'Lifetime of a session token, in seconds.',
    ),
    WORK_POLL_MS: integerVariable({ min: 50, max: 60_000, default: 1_000 }).describe(
      'How often the service looks for due work (schedules, imports, generations, emails, …), in milliseconds.',
    ),
    WRITES_PER_MINUTE: integerVariable({ min: 1, max: 1_000_000, default: 6_000 }).describe(
      'Maximum writes per minute for one credential (a session or an agent key) in each replica. More return 429.',
    ),
    TRUSTED_PROXY_HOPS: integerVariable({ min: 0, max: 10, default: 0 }).describe(
      'Number of proxies in front of the service whose reported client address is trusted.',
    ),
    FETCH_ALLOWED_RANGES: listVariable({ default: [] }).describe(
      'Non-public address ranges (CIDR) that may be fetched from. For development and tests only.',
    ),
    FETCH_REFUSED_RANGES: listVariable({ default: [] }).describe(
      'Public address ranges (CIDR) that are never fetched from, such as the operator’s own.',
    ),
    FETCH_ALLOW_HTTP: booleanVariable({ default: false }).describe(
      'Whether plain http: URLs may be fetched. For development and tests only.',
    ),
    IMAGE_QUOTA_IMAGES: integerVariable({ min: 1, max: 1_000_000, default: 20_000 }).describe(
      'Maximum number of images per project.',
    ),
    IMAGE_QUOTA_MIB: integerVariable({ min: 1, max: 10_000_000, default: 5_120 }).describe(
      'Maximum size of a project’s original images, in MB.',
    ),
    IMAGE_UNUSED_DAYS: integerVariable({ min: 1, max: 3_650, default: 30 }).describe(
      'How long unused images are kept, in days.',
    ),
    IMAGE_ENCODER_MEMORY_MIB: integerVariable({ min: 128, max: 65_536, default: 1_792 }).describe(
      'Memory limit of the process that reads large images, one at a time. Three more processes use at most 640 each.',
    ),
    DATABASE_POOL_SIZE: integerVariable({ min: 2, max: 100, default: 10 }).describe(
      'Maximum database connections. A replica uses one more.',
    ),
    IMAGE_BASE_URL: urlVariable({ protocols: ['http:', 'https:'], example: 'https://blog.example.com/images' })
      .transform(withoutTrailingSlashes)
      .describe('Base URL of images: public-read-service, or a CDN in front of it.'),
    ...imageStorageEnvironment,
    ...generationEnvironment,
    ...emailEnvironment,
  })
  .superRefine(needsOfSessions)
  .superRefine(needsOfImageStorage)
  .superRefine(needsOfEmail);
export type Config = Readonly<z.infer<typeof environment>>;
