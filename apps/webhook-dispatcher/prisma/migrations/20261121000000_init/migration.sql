-- What this service knows of the projects.
CREATE TABLE "project" (
    "id" UUID NOT NULL,
    "event_number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "site_url" TEXT,
    "deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "project_member" (
    "project_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "role" TEXT NOT NULL,

    CONSTRAINT "project_member_pkey" PRIMARY KEY ("project_id", "account_id"),
    CONSTRAINT "project_member_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Receivers.
CREATE TABLE "integration" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "sealed_secret" TEXT,
    "sealed_headers" TEXT,
    "active" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "integration_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "integration_deleted_is_empty" CHECK ("deleted_at" IS NULL OR (NOT "active" AND "sealed_secret" IS NULL AND "sealed_headers" IS NULL))
);

CREATE UNIQUE INDEX "integration_position_key" ON "integration" ("position");
CREATE INDEX "integration_project_id_position_idx" ON "integration" ("project_id", "position");

-- Lifecycle events that were planned, and the read service's word for those that were not yet.
CREATE TABLE "lifecycle_event" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "blog_event_number" INTEGER NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "traceparent" TEXT,
    "data" JSONB,
    "planned_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lifecycle_event_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "lifecycle_event_blog_id_blog_event_number_idx" ON "lifecycle_event" ("blog_id", "blog_event_number");
-- The events whose bodies are still kept: what the clean-up looks through.
CREATE INDEX "lifecycle_event_with_data_idx" ON "lifecycle_event" ("planned_at") WHERE "data" IS NOT NULL;

CREATE TABLE "served_event" (
    "lifecycle_event_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "served_event_pkey" PRIMARY KEY ("lifecycle_event_id")
);

-- The schedule.
CREATE TABLE "delivery" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "lifecycle_event_id" UUID NOT NULL,
    "integration_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "blog_event_number" INTEGER NOT NULL,
    "publish_id" UUID,
    "trigger" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "reason" TEXT,
    "detail" TEXT,
    "status_code" INTEGER,
    "live_url" TEXT,
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "delivery_lifecycle_event_id_fkey" FOREIGN KEY ("lifecycle_event_id") REFERENCES "lifecycle_event" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "delivery_integration_id_fkey" FOREIGN KEY ("integration_id") REFERENCES "integration" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "delivery_trigger" CHECK ("trigger" IN ('manual', 'autopilot')),
    CONSTRAINT "delivery_status" CHECK ("status" IN ('pending', 'in_flight', 'succeeded', 'failed', 'superseded')),
    CONSTRAINT "delivery_lease_while_in_flight" CHECK (("status" = 'in_flight') = ("lease_token" IS NOT NULL) AND ("lease_token" IS NULL) = ("lease_until" IS NULL)),
    CONSTRAINT "delivery_finished_at_the_end" CHECK (("status" IN ('succeeded', 'failed', 'superseded')) = ("finished_at" IS NOT NULL)),
    CONSTRAINT "delivery_manual_once" CHECK ("trigger" = 'autopilot' OR "attempts" <= 1)
);

CREATE UNIQUE INDEX "delivery_position_key" ON "delivery" ("position");
CREATE UNIQUE INDEX "delivery_lifecycle_event_id_integration_id_key" ON "delivery" ("lifecycle_event_id", "integration_id");
CREATE INDEX "delivery_project_id_position_idx" ON "delivery" ("project_id", "position");
CREATE INDEX "delivery_integration_id_position_idx" ON "delivery" ("integration_id", "position");
CREATE INDEX "delivery_blog_id_position_idx" ON "delivery" ("blog_id", "position");
-- What may be claimed, receiver by receiver, so that a long queue of one costs the others nothing.
CREATE INDEX "delivery_pending_idx" ON "delivery" ("integration_id", "due_at") WHERE "status" = 'pending';
-- When the next one becomes due.
CREATE INDEX "delivery_next_due_idx" ON "delivery" ("due_at") WHERE "status" = 'pending';
-- The order of one blog at one receiver among what has not ended.
CREATE INDEX "delivery_unfinished_idx" ON "delivery" ("integration_id", "blog_id", "blog_event_number") WHERE "status" IN ('pending', 'in_flight');
-- Leases to renew and to sweep.
CREATE INDEX "delivery_lease_idx" ON "delivery" ("lease_until") WHERE "status" = 'in_flight';

CREATE TABLE "delivery_attempt" (
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "status_code" INTEGER,
    "reason" TEXT,
    "detail" TEXT,

    CONSTRAINT "delivery_attempt_pkey" PRIMARY KEY ("delivery_id", "number"),
    CONSTRAINT "delivery_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Which receiver has which blog.
CREATE TABLE "receiver_blog" (
    "integration_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "published" BOOLEAN NOT NULL,
    "live_url" TEXT,
    "external_id" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "receiver_blog_pkey" PRIMARY KEY ("integration_id", "blog_id"),
    CONSTRAINT "receiver_blog_integration_id_fkey" FOREIGN KEY ("integration_id") REFERENCES "integration" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Events waiting for the relay.
CREATE TABLE "outbox" (
  "position" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "id" UUID NOT NULL,
  "topic" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "partition_key" TEXT NOT NULL,
  "data" JSONB NOT NULL,
  "time" TIMESTAMPTZ(3) NOT NULL,
  "traceparent" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "published_at" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "outbox_id_key" ON "outbox" ("id");
CREATE INDEX "outbox_unpublished" ON "outbox" ("position") WHERE "published_at" IS NULL;
CREATE INDEX "outbox_published_at" ON "outbox" ("published_at") WHERE "published_at" IS NOT NULL;

CREATE FUNCTION "notify_outbox"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('outbox', '');
  RETURN NULL;
END $$;
CREATE TRIGGER "outbox_inserted" AFTER INSERT ON "outbox"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_outbox"();
