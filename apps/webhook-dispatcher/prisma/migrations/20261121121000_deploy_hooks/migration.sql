-- One deploy hook per project (spec §4.5). Its address is a credential: sealed, as are headers and body.
CREATE TABLE "deploy_hook" (
    "project_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "sealed_url" TEXT NOT NULL,
    "sealed_parts" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "active_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deploy_hook_pkey" PRIMARY KEY ("project_id"),
    CONSTRAINT "deploy_hook_method" CHECK ("method" IN ('POST', 'GET'))
);

-- The schedule and the history. No tie to deploy_hook: the history outlives it.
CREATE TABLE "deploy_hook_request" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "published" INTEGER NOT NULL DEFAULT 0,
    "unpublished" INTEGER NOT NULL DEFAULT 0,
    "deleted" INTEGER NOT NULL DEFAULT 0,
    "not_served" INTEGER NOT NULL DEFAULT 0,
    "blog_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "first_change_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "reason" TEXT,
    "detail" TEXT,
    "status_code" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "deploy_hook_request_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "deploy_hook_request_kind" CHECK ("kind" IN ('changes', 'test')),
    CONSTRAINT "deploy_hook_request_status" CHECK ("status" IN ('waiting', 'in_flight', 'succeeded', 'failed', 'superseded', 'cancelled')),
    CONSTRAINT "deploy_hook_request_changes" CHECK ("kind" = 'test' OR ("first_change_at" IS NOT NULL AND "published" + "unpublished" + "deleted" > 0)),
    CONSTRAINT "deploy_hook_request_test_once" CHECK ("kind" = 'changes' OR ("attempts" = 1 AND "status" <> 'waiting')),
    CONSTRAINT "deploy_hook_request_lease_while_in_flight" CHECK (("status" = 'in_flight') = ("lease_token" IS NOT NULL) AND ("lease_token" IS NULL) = ("lease_until" IS NULL)),
    CONSTRAINT "deploy_hook_request_finished_at_the_end" CHECK (("status" IN ('waiting', 'in_flight')) = ("finished_at" IS NULL))
);

CREATE UNIQUE INDEX "deploy_hook_request_position_key" ON "deploy_hook_request" ("position");
CREATE INDEX "deploy_hook_request_project_id_position_idx" ON "deploy_hook_request" ("project_id", "position");
-- Of one project, one request gathers changes or waits for its retry, one is under way, and one test is.
CREATE UNIQUE INDEX "deploy_hook_request_one_waiting" ON "deploy_hook_request" ("project_id") WHERE "status" = 'waiting';
CREATE UNIQUE INDEX "deploy_hook_request_one_in_flight" ON "deploy_hook_request" ("project_id", "kind") WHERE "status" = 'in_flight';
CREATE INDEX "deploy_hook_request_due_idx" ON "deploy_hook_request" ("due_at") WHERE "status" = 'waiting';
CREATE INDEX "deploy_hook_request_lease_idx" ON "deploy_hook_request" ("lease_until") WHERE "status" = 'in_flight';
CREATE INDEX "deploy_hook_request_finished_idx" ON "deploy_hook_request" ("finished_at") WHERE "finished_at" IS NOT NULL;

CREATE TABLE "deploy_hook_attempt" (
    "request_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "status_code" INTEGER,
    "reason" TEXT,
    "detail" TEXT,
    "connected_ms" INTEGER,
    "answer_ms" INTEGER,
    "total_ms" INTEGER,

    CONSTRAINT "deploy_hook_attempt_pkey" PRIMARY KEY ("request_id", "number"),
    CONSTRAINT "deploy_hook_attempt_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "deploy_hook_request" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Lifecycle events of projects with a hook: without a request while the public API does not serve them.
CREATE TABLE "deploy_hook_change" (
    "lifecycle_event_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "blog_event_number" INTEGER NOT NULL,
    "event" TEXT NOT NULL,
    "overdue_at" TIMESTAMPTZ(3) NOT NULL,
    "request_id" UUID,

    CONSTRAINT "deploy_hook_change_pkey" PRIMARY KEY ("lifecycle_event_id"),
    CONSTRAINT "deploy_hook_change_event" CHECK ("event" IN ('blog.published', 'blog.unpublished', 'blog.deleted')),
    CONSTRAINT "deploy_hook_change_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "deploy_hook_request" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "deploy_hook_change_request_id_idx" ON "deploy_hook_change" ("request_id");
CREATE INDEX "deploy_hook_change_project_idx" ON "deploy_hook_change" ("project_id") WHERE "request_id" IS NULL;
CREATE INDEX "deploy_hook_change_overdue_idx" ON "deploy_hook_change" ("overdue_at") WHERE "request_id" IS NULL;
