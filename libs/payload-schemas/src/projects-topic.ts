import { z } from 'zod';
import { authorState } from './authors/author-state.ts';
import { httpUrl } from './primitives.ts';
import { defineTopic } from './topic.ts';

/** Owners manage a project and its credentials; editors write and publish. */
export const memberRole = z.enum(['owner', 'editor']);
export type MemberRole = z.infer<typeof memberRole>;

/** What stops in a suspended project: writes and deliveries, or public reads too. */
export const suspensionScope = z.enum(['writes', 'all']);
export type SuspensionScope = z.infer<typeof suspensionScope>;

const ofProject = {
  project_id: z.uuid(),
  project_event_number: z.int().min(1).describe('Increases by one with every event of the project.'),
};

/** A project was created or changed: its whole state. */
export const projectSavedEvent = z.object({
  event: z.literal('project.saved'),
  ...ofProject,
  name: z.string(),
  site_url: httpUrl.nullable(),
  members: z.array(z.object({ account_id: z.uuid(), role: memberRole })),
  suspended: suspensionScope
    .nullable()
    .optional()
    .describe('What an administrator has stopped; null for nothing. Absent: as before (events of release 1.0.0).'),
  authors: z.array(authorState).optional().describe('All authors. Absent: as before (events of release 1.0.0).'),
});

/** A project was deleted. */
export const projectDeletedEvent = z.object({ event: z.literal('project.deleted'), ...ofProject });

export const projectEvent = z.discriminatedUnion('event', [projectSavedEvent, projectDeletedEvent]);
export type ProjectEvent = z.infer<typeof projectEvent>;

/** The projects, their sites and who may manage them. */
export const projectsTopic = defineTopic({
  name: 'blog.projects',
  description: 'State of every project: name, members, site URL, authors.',
  schema: projectEvent,
  key: (event) => event.project_id,
  partitionKey: (event) => event.project_id,
  partitions: 6,
  retention: { compacted: true, fullHistoryMs: 7 * 24 * 3_600_000, newestBy: 'project_event_number' },
});
