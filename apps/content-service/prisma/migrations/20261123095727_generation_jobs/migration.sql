-- CreateTable
CREATE TABLE "generation_job" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "requested_by" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "origin" TEXT,
    "request" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "steps_done" INTEGER NOT NULL DEFAULT 0,
    "steps_in_all" INTEGER NOT NULL,
    "work" JSONB,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_token" UUID,
    "lease_expires_at" TIMESTAMPTZ(3),
    "turn" BIGINT,
    "writer" TEXT,
    "charged_micros" BIGINT NOT NULL DEFAULT 0,
    "charged_tokens" BIGINT NOT NULL DEFAULT 0,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,
    "failure_code" TEXT,
    "failure_message" TEXT,
    "blog_id" UUID,
    "proposal_id" UUID,
    "report" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "generation_job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "generation_event" (
    "job_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "generation_event_pkey" PRIMARY KEY ("job_id","number")
);

-- CreateTable
CREATE TABLE "generation_month" (
    "project_id" UUID NOT NULL,
    "month" TEXT NOT NULL,
    "charged_micros" BIGINT NOT NULL DEFAULT 0,
    "charged_tokens" BIGINT NOT NULL DEFAULT 0,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "generation_month_pkey" PRIMARY KEY ("project_id","month")
);

-- CreateIndex
CREATE UNIQUE INDEX "generation_job_position_key" ON "generation_job"("position");

-- CreateIndex
CREATE INDEX "generation_job_project_id_position_idx" ON "generation_job"("project_id", "position");

-- CreateIndex
CREATE INDEX "generation_job_project_id_turn_idx" ON "generation_job"("project_id", "turn");

-- AddForeignKey
ALTER TABLE "generation_event" ADD CONSTRAINT "generation_event_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "generation_job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Jobs that have not ended, which a claim looks through.
CREATE INDEX "generation_job_open" ON "generation_job" ("project_id") WHERE "status" IN ('waiting', 'running');
CREATE SEQUENCE "generation_turn";
ALTER TABLE "generation_job"
  ADD CONSTRAINT "generation_job_status_check" CHECK ("status" IN ('waiting', 'running', 'succeeded', 'failed', 'cancelled')),
  ADD CONSTRAINT "generation_job_kind_check" CHECK ("kind" IN ('post', 'proposal')),
  -- A reservation is a charge: nothing is ever charged below what was spent.
  ADD CONSTRAINT "generation_job_charged_check" CHECK ("charged_micros" >= 0 AND "charged_tokens" >= 0);
