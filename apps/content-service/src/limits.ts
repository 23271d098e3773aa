/** Most blogs of a project that are not deleted. */
export const MAX_BLOGS = 100_000;
/** Most revisions, and publishes, kept of a blog: the oldest go. */
export const MAX_REVISIONS = 1_000;
/** Most agent keys of a project. */
export const MAX_AGENT_KEYS = 50;
/** Most scheduled publishes of a project. */
export const MAX_SCHEDULES = 10_000;
/** How far ahead a publish can be scheduled. */
export const MAX_SCHEDULE_AHEAD_MS = 2 * 366 * 24 * 3_600_000;
/** How long an invitation can be accepted, to an account or to a project. */
export const INVITATION_LIFE_MS = 7 * 24 * 3_600_000;
