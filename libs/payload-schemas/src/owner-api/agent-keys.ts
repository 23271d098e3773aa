import { z } from 'zod';
import { doc, fields } from '../fields.ts';
import { MAX_SHORT_TEXT, timestamp } from '../primitives.ts';

const name = z.string().trim().min(1).max(MAX_SHORT_TEXT);

/** What an agent key may do, from the least to all that an agent can; each includes those before it. */
export const agentPermission = z.enum(['draft', 'publish', 'full']);
export type AgentPermission = z.infer<typeof agentPermission>;
const permission = agentPermission.describe(
  '`draft`: read, write, propose and add images, without publishing. `publish`: also publish and sync. `full`: also unpublish and delete.',
);

export const agentKeyCreateRequest = z.object({
  name: name.meta(doc('Display name.', 'Tea')),
  permission: permission.default('full'),
  expires_at: timestamp.nullable().default(null).describe('Must be in the future. Null: never expires.'),
});
export const agentKeyUpdateRequest = z.object({
  name: name.optional().meta(doc('Display name.', 'Tea')),
  permission: permission.optional(),
  expires_at: timestamp.nullable().optional().describe('When it expires.'),
});
/** An agent's secret key (contract §5.1.7), without the key. */
export const agentKey = z.object({
  id: fields.id,
  name: fields.name,
  permission,
  hint: z.string().meta(doc('Last four characters of the key.', 'd4CZ')),
  created_at: fields.createdAt,
  expires_at: timestamp.nullable().describe('When it expires.'),
  last_used_at: timestamp.nullable().describe('Accurate to the minute.'),
});
export const agentKeyCreated = agentKey.extend({
  key: z
    .string()
    .nullable()
    .meta(
      doc(
        '`sk_agent_…`. Shown only once; null if the request is repeated with its `Idempotency-Key`.',
        'sk_agent_Cd4Cd4Cd4Cd4Cd4Cd4Cd4Cd4Cd4Cd4Cd4Cd4Cd4Z',
      ),
    ),
});
