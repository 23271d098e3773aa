import { z } from 'zod';
import { doc, fields } from '../fields.ts';
import { memberRole, suspensionScope } from '../projects-topic.ts';
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
  .meta({ examples: ['https://tea.example.com'] })
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''));

export const projectCreateRequest = z.object({
  name: z.string().trim().min(1).max(MAX_SHORT_TEXT).meta(doc('Display name.', 'Tea')),
  site_url: siteUrl.nullable().default(null).describe('URL of the website. Links to posts start with it.'),
});
export const projectUpdateRequest = z.object({
  name: z.string().trim().min(1).max(MAX_SHORT_TEXT).optional().meta(doc('Display name.', 'Tea')),
  site_url: siteUrl.nullable().optional().describe('URL of the website. Links to posts start with it.'),
});
/** What an administrator has stopped of a project. */
export const suspension = z.object({
  scope: suspensionScope.meta(
    doc('`writes`: writing, publishing and deliveries. `all`: the public API too.', 'writes'),
  ),
  reason: z.string().nullable().meta(doc('What the administrator told the members.', 'Unpaid invoice')),
  suspended_at: timestamp.describe('Since when.'),
});
/** `PUT /owner/tenants/{projectId}/suspension` */
export const suspensionRequest = z.object({
  scope: suspensionScope.meta(
    doc('`writes`: writing, publishing and deliveries stop. `all`: the public API stops too.', 'writes'),
  ),
  reason: z
    .string()
    .trim()
    .min(1)
    .max(MAX_SHORT_TEXT)
    .nullable()
    .default(null)
    .meta(doc('What members of the project are told.', 'Unpaid invoice')),
});
/** A project as a member sees it. */
export const project = z.object({
  id: fields.id,
  name: fields.name,
  site_url: z
    .string()
    .nullable()
    .meta(doc('URL of the website. Links to posts start with it.', 'https://tea.example.com')),
  role: memberRole.meta(doc('Your role in the project.', 'editor')),
  created_at: fields.createdAt,
  suspension: suspension.nullable().describe('What an administrator has stopped; null for nothing.'),
});
/** The one project of an agent's key. */
export const agentProject = project.omit({ role: true, suspension: true });
