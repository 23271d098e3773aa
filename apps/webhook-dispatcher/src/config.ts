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
import { RETRY_POLICY } from './http/judge.ts';

/** `1000,2000,…`: at least one number. */
const delays = (byDefault: readonly number[]) =>
  z
    .string()
    .regex(/^\s*\d{1,9}\s*(,\s*\d{1,9}\s*)*$/, 'must be comma-separated whole numbers, such as 1000,2000')
    .default(byDefault.join(','))
    .transform((text) => {
      const [first = 0, ...others] = text.split(',').map(Number);
      return [first, ...others] as const;
    });

/** The environment of this service; docs/configuration.md has the table. */
export const environment = z.object({
  ...baseEnvironment,
  OWNER_SESSION_JWKS: sessionJwks.describe('Public keys that verify owner sessions, as a JWKS.'),
  ENCRYPTION_KEYS: secret(secretBoxKeys).describe(
    'Keys that encrypt secrets at rest, as comma-separated id:base64 pairs. The first one encrypts, all decrypt.',
  ),
  RECEIVER_ALLOWED_RANGES: listVariable({ default: [] }).describe(
    'Non-public address ranges (CIDR) that receivers may use. For development and tests only.',
  ),
  RECEIVER_REFUSED_RANGES: listVariable({ default: [] }).describe(
    'Public address ranges (CIDR) that receivers and deploy hooks must not use, such as the operator’s own.',
  ),
  RECEIVER_ALLOW_HTTP: booleanVariable({ default: false }).describe(
    'Whether receivers may use plain http: URLs. For development and tests only.',
  ),
  RECEIVER_TRACEPARENT: booleanVariable({ default: true }).describe(
    'Whether webhook requests carry the header `traceparent` while there is a trace.',
  ),
  SERVED_WAIT_MS: integerVariable({ min: 0, max: 600_000, default: 2_000 }).describe(
    'How long a delivery waits until the public API serves its event, in milliseconds.',
  ),
  DELIVERY_TIMEOUT_MS: integerVariable({ min: 10, max: 600_000, default: 30_000 }).describe(
    'Timeout of one exchange with a receiver, in milliseconds.',
  ),
  DELIVERY_CONCURRENCY: integerVariable({ min: 1, max: 1_024, default: 256 }).describe(
    'Maximum concurrent attempts that are not slow. Including slow ones, four times as many.',
  ),
  DELIVERY_CONCURRENCY_PER_PROJECT: integerVariable({ min: 1, max: 1_024, default: 160 }).describe(
    'Maximum of these per project. Including slow ones, twice as many.',
  ),
  DELIVERY_CONCURRENCY_PER_RECEIVER: integerVariable({ min: 1, max: 1_024, default: 16 }).describe(
    'Maximum concurrent attempts per receiver.',
  ),
  DELIVERY_MAX_ATTEMPTS: integerVariable({ min: 1, max: 100, default: RETRY_POLICY.maxAttempts }).describe(
    'Attempts per delivery that is retried, including the first.',
  ),
  RETRY_DELAYS_MS: delays(RETRY_POLICY.delaysMs).describe(
    'Delays between attempts of a delivery that is retried, in milliseconds, ± 10 %.',
  ),
  LEASE_MS: integerVariable({ min: 100, max: 600_000, default: 10_000 }).describe(
    'How long a claim outlives its process, in milliseconds.',
  ),
  DEPLOY_HOOK_QUIET_MS: integerVariable({ min: 0, max: 3_600_000, default: 10_000 }).describe(
    'Quiet time after a project’s last change before its deploy hook is called, in milliseconds.',
  ),
  DEPLOY_HOOK_MAX_WAIT_MS: integerVariable({ min: 0, max: 3_600_000, default: 60_000 }).describe(
    'Maximum wait for that quiet time, in milliseconds.',
  ),
  DEPLOY_HOOK_SERVED_WAIT_MS: integerVariable({ min: 0, max: 86_400_000, default: 600_000 }).describe(
    'How long a deploy hook waits until the public API serves a change, in milliseconds.',
  ),
  DEPLOY_HOOK_CONCURRENCY: integerVariable({ min: 1, max: 1_024, default: 16 }).describe(
    'Maximum concurrent deploy hook requests that are not slow, one per project. Including slow ones, four times as many.',
  ),
  DEPLOY_HOOK_CONCURRENCY_PER_ACCOUNT: integerVariable({ min: 1, max: 1_024, default: 4 }).describe(
    'Maximum of these per account. Including slow ones, twice as many.',
  ),
  INDEX_NOW_ENDPOINT: urlVariable({ protocols: ['https:', 'http:'], example: 'https://api.indexnow.org/indexnow' })
    .default('https://api.indexnow.org/indexnow')
    .describe('IndexNow endpoint to ping. Participating search engines share what they receive.'),
  INDEX_NOW_DELAY_MS: integerVariable({ min: 0, max: 3_600_000, default: 300_000 }).describe(
    'How long after a successful deploy hook changed URLs are pinged, so that the site can build, in milliseconds.',
  ),
  LINK_HEALING_QUIET_MS: integerVariable({ min: 0, max: 3_600_000, default: 60_000 }).describe(
    'Quiet time of a linked post before the posts that link to it are resent, in milliseconds.',
  ),
  LINK_HEALING_PER_HOUR: integerVariable({ min: 1, max: 1_000_000, default: 600 }).describe(
    'Maximum posts resent to one receiver per hour because of changed links.',
  ),
  DELIVERY_LOG_DAYS: integerVariable({ min: 1, max: 3_650, default: 30 }).describe(
    'How long the delivery log and the deploy hook history are kept, in days.',
  ),
  FAILING_AFTER_DELIVERIES: integerVariable({ min: 1, max: 10_000, default: FAILING_RULE.deliveries }).describe(
    'Consecutive failed deliveries until a receiver counts as failing.',
  ),
  FAILING_AFTER_MS: integerVariable({ min: 0, max: 2_592_000_000, default: FAILING_RULE.durationMs }).describe(
    'Minimum time a receiver must be failing for that, in milliseconds.',
  ),
  DATABASE_POOL_SIZE: integerVariable({ min: 2, max: 100, default: 6 }).describe(
    'Maximum database connections for requests and stores. A replica uses nine more.',
  ),
});
export type Config = Readonly<z.infer<typeof environment>>;
