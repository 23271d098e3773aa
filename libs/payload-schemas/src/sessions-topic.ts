import { z } from 'zod';
import { timestamp } from './primitives.ts';
import { defineTopic } from './topic.ts';

/** A session ended before its tokens expire: signed out, ended by a new password, or deleted with its account. */
export const sessionRevokedEvent = z.object({
  event: z.literal('session.revoked'),
  session_id: z.uuid().describe('The `sid` claim of the session’s tokens.'),
  expires_at: timestamp.describe('When all tokens of the session have expired. Consumers can forget it after that.'),
});
export type SessionRevokedEvent = z.infer<typeof sessionRevokedEvent>;

/** Which sessions every service refuses, though their tokens have not expired. */
export const sessionsTopic = defineTopic({
  name: 'blog.sessions',
  description: 'Sessions that ended before their tokens expired.',
  schema: sessionRevokedEvent,
  key: (event) => event.session_id,
  partitionKey: (event) => event.session_id,
  partitions: 6,
  retention: { compacted: true, fullHistoryMs: 0, keepMs: 24 * 3_600_000 },
});
