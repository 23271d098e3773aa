/** Most authors of a project. */
export const MAX_AUTHORS = 200;
/** Most bytes that they take together, as JSON: every event of the project has them. */
export const MAX_AUTHORS_BYTES = 300 * 1024;
/** Most earlier slugs kept of an author: the oldest go. */
export const MAX_FORMER_SLUGS = 20;
