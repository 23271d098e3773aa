-- AlterTable
ALTER TABLE "blog" ADD COLUMN     "provenance" JSONB;

-- AlterTable
ALTER TABLE "blog_revision" ADD COLUMN     "provenance" JSONB;

-- CreateTable
CREATE TABLE "proposal" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "base_version" INTEGER NOT NULL,
    "changes" JSONB NOT NULL,
    "choices" TEXT[],
    "notes" TEXT[],
    "provenance" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "settled_by" UUID,
    "settled_at" TIMESTAMPTZ(3),
    "new_blog_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "proposal_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "proposal_position_key" ON "proposal"("position");

-- CreateIndex
CREATE INDEX "proposal_project_id_position_idx" ON "proposal"("project_id", "position");

-- CreateIndex
CREATE INDEX "proposal_blog_id_position_idx" ON "proposal"("blog_id", "position");
