import { z } from 'zod';
import { memberRole } from '../projects-topic.ts';
import { MAX_SHORT_TEXT, timestamp } from '../primitives.ts';

const siteUrl = z
  .url({ protocol: /^https?$/, normalize: true })
  .max(2_048)
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
  .transform((url) => url.replace(/\/+$/, ''));

export const projectCreateRequest = z.object({
  name: z.string().trim().min(1).max(MAX_SHORT_TEXT),
  site_url: siteUrl.nullable().default(null),
});
export const projectUpdateRequest = z.object({
  name: z.string().trim().min(1).max(MAX_SHORT_TEXT).optional(),
  site_url: siteUrl.nullable().optional(),
});
/** A project as a member sees it. */
export const project = z.object({
  id: z.uuid(),
  name: z.string(),
  site_url: z.string().nullable(),
  role: memberRole.describe('What the caller is in it.'),
  created_at: timestamp,
});
/** The one project of an agent's key. */
export const agentProject = project.omit({ role: true });
