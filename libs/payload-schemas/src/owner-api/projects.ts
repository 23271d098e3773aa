import { z } from 'zod';
import { memberRole } from '../projects-topic.ts';
import { MAX_SHORT_TEXT, timestamp } from '../primitives.ts';

const hasUserInfo = (url: string): boolean => {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.username + parsed.password !== '';
};

const siteUrl = z
  .url({ protocol: /^https?$/, normalize: true })
  .max(2_048)
  .refine((url) => !/[?#]/.test(url), 'must not have a query or fragment')
  .refine((url) => !hasUserInfo(url), 'must not have a user name or password')
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''));

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
  role: memberRole.describe('Your role in the project.'),
  created_at: timestamp,
});
/** The one project of an agent's key. */
export const agentProject = project.omit({ role: true });
