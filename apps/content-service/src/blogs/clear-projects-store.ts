import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/database/open-database.ts';
import { emptyResultsOfProject } from '../platform/idempotency/idempotency-store.ts';
import { dropLinks } from './links/link-store.ts';
import { CLEARED_FIELDS } from './writing/draft.ts';
import { freeSlugs } from './slugs/slug-claim-store.ts';

/** Most rows of one transaction; each may hold a content twice, as HTML and as Markdown. */
const MAX_BLOGS_PER_BATCH = 50;
const MAX_REVISIONS_PER_BATCH = 200;
const MAX_FILES_PER_BATCH = 200;
const MAX_JOBS_PER_BATCH = 50;
const MAX_IMAGES_PER_BATCH = 500;
/** Most projects of which a batch is cleared in turn: a large one keeps none of the others from being cleared. */
const MAX_PROJECTS_AT_ONCE = 20;

/**
 * Clears some of what deleted projects still hold, however much that is: each statement is short. Whatever dies, the
 * next call goes on where the last one was. Call it again while it finds something. @returns how many
 * rows.
 */
export async function clearProjects(database: Database, now: Date): Promise<number> {
  const projects = await database.$queryRaw<{ id: string }[]>`
    SELECT id FROM project WHERE deleted_at IS NOT NULL AND (
      EXISTS (SELECT FROM blog WHERE blog.project_id = project.id AND blog.state <> 'deleted')
      OR EXISTS (SELECT FROM import WHERE import.project_id = project.id)
      OR EXISTS (SELECT FROM image WHERE image.project_id = project.id AND image.state <> 'deleting')
      OR EXISTS (SELECT FROM generation_job job WHERE job.project_id = project.id)
      OR EXISTS (SELECT FROM generation_month month WHERE month.project_id = project.id)
      OR EXISTS (SELECT FROM autopilot WHERE autopilot.project_id = project.id)
      OR EXISTS (SELECT FROM autopilot_topic topic WHERE topic.project_id = project.id)
      OR EXISTS (SELECT FROM idempotent_request once WHERE once.project_id = project.id AND once.result IS NOT NULL)
      OR EXISTS (SELECT FROM proposal WHERE proposal.project_id = project.id)
      OR EXISTS (SELECT FROM brand_voice voice WHERE voice.project_id = project.id)
      OR EXISTS (SELECT FROM generation_settings settings WHERE settings.project_id = project.id))
    LIMIT ${MAX_PROJECTS_AT_ONCE}`;
  let cleared = 0;
  for (const { id } of projects) cleared += await clearProject(database, id, now);
  return cleared;
}

/** Does for one project, which must be deleted, what {@link clearProjects} does. */
export async function clearProject(database: Database, projectId: string, now: Date): Promise<number> {
  return (
    (await clearBlogs(database, projectId, now)) +
    (await clearImports(database, projectId)) +
    (await clearImages(database, projectId, now)) +
    (await clearGeneration(database, projectId)) +
    (await clearAutopilot(database, projectId)) +
    (await emptyResultsOfProject(database, projectId))
  );
}

/** Blogs become tombstones without content once their revisions are gone. */
function clearBlogs(database: Database, projectId: string, now: Date): Promise<number> {
  return database.$transaction(async (tx) => {
    const blogs = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM blog WHERE project_id = ${projectId}::uuid AND state <> 'deleted'
      ORDER BY position LIMIT ${MAX_BLOGS_PER_BATCH} FOR UPDATE SKIP LOCKED`;
    const ids = blogs.map(({ id }) => id);
    if (ids.length === 0) return 0;
    const revisions = await tx.$executeRaw`
      DELETE FROM blog_revision WHERE (blog_id, number) IN (
        SELECT blog_id, number FROM blog_revision WHERE blog_id = ANY (${ids}::uuid[])
        LIMIT ${MAX_REVISIONS_PER_BATCH})`;
    if (revisions === MAX_REVISIONS_PER_BATCH) return revisions;
    await freeSlugs(tx, ids);
    await dropLinks(tx, ids);
    await tx.blog.updateMany({
      where: { id: { in: ids } },
      data: { ...CLEARED_FIELDS, provenance: Prisma.DbNull, state: 'deleted', deletedAt: now },
    });
    return revisions + ids.length;
  });
}

/** Their bytes, and then their rows, go in the round that deletes images. */
function clearImages(database: Database, projectId: string, now: Date): Promise<number> {
  return database.$executeRaw`
    UPDATE image SET state = 'deleting', state_due_at = ${now} WHERE id IN (
      SELECT id FROM image WHERE project_id = ${projectId}::uuid AND state <> 'deleting'
      LIMIT ${MAX_IMAGES_PER_BATCH} FOR UPDATE SKIP LOCKED)`;
}

async function clearImports(database: Database, projectId: string): Promise<number> {
  const files = await database.$executeRaw`
    DELETE FROM import_file WHERE (import_id, number) IN (
      SELECT import_id, number FROM import_file JOIN import ON import.id = import_file.import_id
      WHERE import.project_id = ${projectId}::uuid LIMIT ${MAX_FILES_PER_BATCH})`;
  if (files === MAX_FILES_PER_BATCH) return files;
  const { count } = await database.import.deleteMany({ where: { projectId } });
  return files + count;
}

async function clearGeneration(database: Database, projectId: string): Promise<number> {
  const jobs = await database.$executeRaw`
    DELETE FROM generation_job WHERE id IN (
      SELECT id FROM generation_job WHERE project_id = ${projectId}::uuid LIMIT ${MAX_JOBS_PER_BATCH})`;
  if (jobs === MAX_JOBS_PER_BATCH) return jobs;
  const { count: months } = await database.generationMonth.deleteMany({ where: { projectId } });
  const { count: proposals } = await database.proposal.deleteMany({ where: { projectId } });
  const { count: settings } = await database.generationSettings.deleteMany({ where: { projectId } });
  const { count: voices } = await database.brandVoice.deleteMany({ where: { projectId } });
  return jobs + months + proposals + settings + voices;
}

/** There are some thousand topics at most. */
async function clearAutopilot(database: Database, projectId: string): Promise<number> {
  const { count: topics } = await database.autopilotTopic.deleteMany({ where: { projectId } });
  const { count } = await database.autopilot.deleteMany({ where: { projectId } });
  return topics + count;
}
