-- AlterTable
ALTER TABLE "blog" ADD COLUMN     "publish_at_trigger" TEXT;

-- CreateTable
CREATE TABLE "autopilot" (
    "project_id" UUID NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "settings" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "next_run_at" TIMESTAMPTZ(3),
    "last_run_at" TIMESTAMPTZ(3),
    "failures_in_a_row" INTEGER NOT NULL DEFAULT 0,
    "month" TEXT NOT NULL,
    "month_posts" INTEGER NOT NULL DEFAULT 0,
    "month_micros" BIGINT NOT NULL DEFAULT 0,
    "set_by" UUID NOT NULL,

    CONSTRAINT "autopilot_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "autopilot_topic" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "rank" BIGINT NOT NULL,
    "topic" TEXT NOT NULL,
    "keyword" TEXT,
    "instructions" TEXT,
    "sources" TEXT[],
    "status" TEXT NOT NULL,
    "job_id" UUID,
    "blog_id" UUID,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "autopilot_topic_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "autopilot_topic_project_id_status_rank_idx" ON "autopilot_topic"("project_id", "status", "rank");

-- What is due.
CREATE INDEX "autopilot_next_run" ON "autopilot" ("next_run_at") WHERE "next_run_at" IS NOT NULL;

-- A project's autopilot writes one post at a time.
CREATE UNIQUE INDEX "autopilot_topic_writing" ON "autopilot_topic" ("project_id") WHERE "status" = 'writing';
