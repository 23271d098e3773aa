/**
 * Number of the advisory lock that everybody who writes to `project`, `project_member`, `published_blog` or
 * `blog_position` takes as shared, in a statement of its own before any other of the transaction, and a rebuild alone while
 * it puts other tables in their place.
 */
export const READ_MODEL_LOCK = 7_236_411_806;
