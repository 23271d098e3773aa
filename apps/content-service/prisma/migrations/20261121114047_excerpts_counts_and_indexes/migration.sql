-- AlterTable
ALTER TABLE "blog" ADD COLUMN     "made_excerpt" TEXT,
ADD COLUMN     "publish_retry_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "project" ADD COLUMN     "kept_blogs" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "publish_project_id_position_idx" ON "publish"("project_id", "position");

-- CreateIndex
CREATE INDEX "publish_project_id_trigger_position_idx" ON "publish"("project_id", "trigger", "position");

UPDATE "project" SET "kept_blogs" = (SELECT count(*) FROM "blog" WHERE "project_id" = "project"."id" AND "state" <> 'deleted');

-- Lists without the tombstones, which are kept for ever.
CREATE INDEX "blog_kept" ON "blog"("project_id", "position") WHERE "state" <> 'deleted';
CREATE INDEX "blog_scheduled" ON "blog"("project_id", "publish_at", "position") WHERE "publish_at" IS NOT NULL;
-- What is tried next.
DROP INDEX "blog_publish_at";
CREATE INDEX "blog_next_publish" ON "blog"(COALESCE("publish_retry_at", "publish_at")) WHERE "publish_at" IS NOT NULL;
CREATE INDEX "import_unfinished" ON "import"("position") WHERE "finished_at" IS NULL;
