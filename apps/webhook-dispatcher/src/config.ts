import {
  baseEnvironment,
  booleanVariable,
  integerVariable,
  listVariable,
  secret,
  urlVariable,
} from '@blog-content/service-runtime';
import { secretBoxKeys, sessionJwks } from '@blog-content/credentials';
import { z } from 'zod';
import { FAILING_RULE } from './integrations/failing-rule.ts';
import { LOOK_DELAYS_MS } from './index-now/judge-look.ts';
import { RETRY_POLICY } from './attempt/judge.ts';

/** `1000,2000,…`: at least one number. */
const delays = (byDefault: readonly number[]) =>
  z
    .string()
    .regex(/^\s*\d{1,9}\s*(,\s*\d{1,9}\s*)*$/, 'must be whole numbers with commas between them, such as 1000,2000')
    .default(byDefault.join(','))
    .transform((text) => {
      const [first = 0, ...others] = text.split(',').map(Number);
      return [first, ...others] as const;
    });

/** The environment of this service; README.md has the table. */
export const environment = z.object({
  ...baseEnvironment,
  OWNER_SESSION_JWKS: sessionJwks.describe('Public keys that owner sessions are checked with (JSON Web Key Set).'),
  ENCRYPTION_KEYS: secret(secretBoxKeys).describe(
    'Keys that secrets are encrypted with at rest, as id:base64, the first encrypts.',
  ),
  RECEIVER_ALLOWED_RANGES: listVariable({ default: [] }).describe(
    'Address ranges (CIDR) that receivers may be in although they are not public; for development and tests.',
  ),
  RECEIVER_REFUSED_RANGES: listVariable({ default: [] }).describe(
    'Address ranges (CIDR) that receivers may never be in, though they are public: those of the operator.',
  ),
  RECEIVER_ALLOW_HTTP: booleanVariable({ default: false }).describe(
    'Whether receivers may have plain http: URLs; for development and tests.',
  ),
  SERVED_WAIT_MS: integerVariable({ min: 0, max: 600_000, default: 2_000 }).describe(
    'How long a delivery waits until the public API serves its event, in milliseconds.',
  ),
  DELIVERY_TIMEOUT_MS: integerVariable({ min: 10, max: 600_000, default: 30_000 }).describe(
    'Deadline of one whole exchange with a receiver, in milliseconds.',
  ),
  DELIVERY_CONCURRENCY: integerVariable({ min: 1, max: 1_024, default: 256 }).describe(
    'Most attempts at once that are not slow; with the slow ones four times as many.',
  ),
  DELIVERY_CONCURRENCY_PER_PROJECT: integerVariable({ min: 1, max: 1_024, default: 160 }).describe(
    'Most of them of one project; with the slow ones twice as many.',
  ),
  DELIVERY_CONCURRENCY_PER_RECEIVER: integerVariable({ min: 1, max: 1_024, default: 16 }).describe(
    'Most attempts at once to one receiver.',
  ),
  DELIVERY_MAX_ATTEMPTS: integerVariable({ min: 1, max: 100, default: RETRY_POLICY.maxAttempts }).describe(
    'Attempts of an autopilot delivery, the first one included.',
  ),
  RETRY_DELAYS_MS: delays(RETRY_POLICY.delaysMs).describe(
    'Delays between the attempts of an autopilot delivery, in milliseconds.',
  ),
  LEASE_MS: integerVariable({ min: 100, max: 600_000, default: 10_000 }).describe(
    'How long a claim outlives its process, in milliseconds.',
  ),
  DEPLOY_HOOK_QUIET_MS: integerVariable({ min: 0, max: 3_600_000, default: 10_000 }).describe(
    'How long no change of a project may come before its deploy hook is requested, in milliseconds.',
  ),
  DEPLOY_HOOK_MAX_WAIT_MS: integerVariable({ min: 0, max: 3_600_000, default: 60_000 }).describe(
    'How long a deploy hook waits for that at most, in milliseconds.',
  ),
  DEPLOY_HOOK_SERVED_WAIT_MS: integerVariable({ min: 0, max: 86_400_000, default: 600_000 }).describe(
    'How long a deploy hook waits until the public API serves a change, in milliseconds.',
  ),
  DEPLOY_HOOK_CONCURRENCY: integerVariable({ min: 1, max: 1_024, default: 16 }).describe(
    'Most requests to deploy hooks at once that are not slow, one a project; with the slow ones four times as many.',
  ),
  DEPLOY_HOOK_CONCURRENCY_PER_ACCOUNT: integerVariable({ min: 1, max: 1_024, default: 4 }).describe(
    'Most of them for the projects of one account; with the slow ones twice as many.',
  ),
  INDEX_NOW_ENDPOINT: urlVariable({ protocols: ['https:', 'http:'], example: 'https://api.indexnow.org/indexnow' })
    .default('https://api.indexnow.org/indexnow')
    .describe('Where changed addresses are pinged: a search engine that takes part in IndexNow tells the others.'),
  INDEX_NOW_QUIET_MS: integerVariable({ min: 0, max: 3_600_000, default: 30_000 }).describe(
    'How long other addresses are gathered for a ping once the site shows a change, in milliseconds.',
  ),
  INDEX_NOW_LOOK_DELAYS_MS: delays(LOOK_DELAYS_MS).describe(
    'Delays between the looks at a page that is to change before its ping, in milliseconds.',
  ),
  LINK_HEALING_QUIET_MS: integerVariable({ min: 0, max: 3_600_000, default: 60_000 }).describe(
    'How long what a post links to may not have changed before the post is sent again, in milliseconds.',
  ),
  LINK_HEALING_PER_HOUR: integerVariable({ min: 1, max: 1_000_000, default: 600 }).describe(
    'Most posts that are sent again to one receiver within an hour because what they link to has changed.',
  ),
  DELIVERY_LOG_DAYS: integerVariable({ min: 1, max: 3_650, default: 30 }).describe(
    'How long the delivery log and the history of deploy hooks are kept, in days.',
  ),
  FAILING_AFTER_DELIVERIES: integerVariable({ min: 1, max: 10_000, default: FAILING_RULE.deliveries }).describe(
    'How many deliveries in a row must fail for a receiver to count as failing.',
  ),
  FAILING_AFTER_MS: integerVariable({ min: 0, max: 2_592_000_000, default: FAILING_RULE.durationMs }).describe(
    'How long it must have failed for that, in milliseconds.',
  ),
  DATABASE_POOL_SIZE: integerVariable({ min: 2, max: 100, default: 6 }).describe(
    'Most connections to the database for requests and stores; a replica has nine more.',
  ),
});
export type Config = Readonly<z.infer<typeof environment>>;
