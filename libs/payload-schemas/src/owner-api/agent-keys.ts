import { z } from 'zod';
import { MAX_SHORT_TEXT, timestamp } from '../primitives.ts';

const name = z.string().trim().min(1).max(MAX_SHORT_TEXT);

/** What an agent key may do, from the least to all that an agent can; each includes those before it. */
export const agentPermission = z.enum(['draft', 'publish', 'full']);
export type AgentPermission = z.infer<typeof agentPermission>;
const permission = agentPermission.describe(
  '`draft`: read, write, propose and add images, without publishing. `publish`: also publish and sync. `full`: also unpublish and delete.',
);

export const agentKeyCreateRequest = z.object({
  name,
  permission: permission.default('full'),
  expires_at: timestamp.nullable().default(null).describe('Must be in the future. Null: never expires.'),
});
export const agentKeyUpdateRequest = z.object({
  name: name.optional(),
  permission: permission.optional(),
  expires_at: timestamp.nullable().optional(),
});
/** An agent's secret key (contract §5.1.7), without the key. */
export const agentKey = z.object({
  id: z.uuid(),
  name: z.string(),
  permission,
  hint: z.string().describe('Last four characters of the key.'),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().describe('Accurate to the minute.'),
});
export const agentKeyCreated = agentKey.extend({
  key: z
    .string()
    .nullable()
    .describe('`sk_agent_…`. Shown only once; null if the request is repeated with its `Idempotency-Key`.'),
});
