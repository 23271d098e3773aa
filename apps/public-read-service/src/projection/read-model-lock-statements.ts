/**
 * The advisory lock of the tables `project`, `project_member`, `published_blog` and `blog_position`. A transaction that
 * writes to them takes it shared, in a statement of its own before any other of the transaction. A rebuild takes it
 * alone while it replaces the tables.
 */
export const READ_MODEL_LOCK = 7_236_411_806;

/** The statement of a transaction that writes to them. */
export const LOCK_OUT_REBUILD = `SELECT pg_advisory_xact_lock_shared(${READ_MODEL_LOCK})`;
