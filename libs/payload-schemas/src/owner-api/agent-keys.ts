import { z } from 'zod';
import { MAX_SHORT_TEXT, timestamp } from '../primitives.ts';

const name = z.string().trim().min(1).max(MAX_SHORT_TEXT);

export const agentKeyCreateRequest = z.object({
  name,
  expires_at: timestamp.nullable().default(null).describe('In the future; null: it does not expire.'),
});
export const agentKeyUpdateRequest = z.object({
  name: name.optional(),
  expires_at: timestamp.nullable().optional(),
});
/** An agent's secret key (contract §5.1.7), without the key. */
export const agentKey = z.object({
  id: z.uuid(),
  name: z.string(),
  hint: z.string().describe('The last four characters of the key.'),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().describe('To the minute.'),
});
export const agentKeyCreated = agentKey.extend({
  key: z
    .string()
    .nullable()
    .describe('`sk_agent_…`, shown once: null when the request is repeated with its Idempotency-Key.'),
});
