import { z } from 'zod';
import { doc } from '../../fields.ts';
import { timestamp } from '../../primitives.ts';

/** What a quota limits, in the order in which a transaction locks several. */
export const QUOTA_NAMES = ['publishes_per_day', 'posts', 'storage_bytes'] as const;
export const quotaName = z.enum(QUOTA_NAMES);
export type QuotaName = z.infer<typeof quotaName>;

const most = z.int().min(0).nullable();

/** What an administrator lets a project, or all projects that an account owns, use. */
export const quotas = z.object({
  posts: most.meta(doc('Posts that are not deleted; null for no quota.', 500)),
  publishes_per_day: most.meta(doc('Publishes per UTC day; null for no quota.', 100)),
  storage_bytes: most.meta(doc('Bytes of images’ originals; null for no quota.', 1_073_741_824)),
});
export type Quotas = z.infer<typeof quotas>;

export const quotaUse = z.object({
  name: quotaName.meta(doc('What is limited.', 'posts')),
  of: z
    .enum(['project', 'account'])
    .meta(doc('`project`: this project alone. `account`: all projects that one of its owners has.', 'project')),
  used: z.number().int().meta(doc('How much is used; of publishes, today.', 120)),
  allowed: z.int().nullable().meta(doc('The quota; null for none.', 500)),
});
/** `GET /owner/projects/{projectId}/quotas` */
export const projectQuotas = z.object({
  quotas: z.array(quotaUse).describe('Each of the project, then those of its owners’ accounts that are set.'),
  resets_at: timestamp.describe('When publishes are counted from zero again: the next 00:00 UTC.'),
  held_publishes: z.int().meta(doc('Scheduled publishes that wait until then.', 0)),
});
