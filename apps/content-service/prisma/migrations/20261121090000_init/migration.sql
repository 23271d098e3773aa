-- People and their sessions.
CREATE TABLE "account" (
  "id" UUID PRIMARY KEY,
  "email" TEXT NOT NULL,
  "password_hash" TEXT NOT NULL,
  "environment_password_hash" TEXT,
  "is_administrator" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "account_email_key" ON "account" ("email");

CREATE TABLE "account_session" (
  "id" UUID PRIMARY KEY,
  "account_id" UUID NOT NULL REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "refreshed_at" TIMESTAMPTZ(3),
  "user_agent" TEXT,
  "revoked_at" TIMESTAMPTZ(3)
);
CREATE INDEX "account_session_account_id_idx" ON "account_session" ("account_id");
CREATE INDEX "account_session_expires_at_idx" ON "account_session" ("expires_at");
-- What the next sweep takes.
CREATE INDEX "account_session_revoked" ON "account_session" ("revoked_at") WHERE "revoked_at" IS NOT NULL;

CREATE TABLE "refresh_token" (
  "hash" TEXT PRIMARY KEY,
  "session_id" UUID NOT NULL REFERENCES "account_session" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3)
);
CREATE INDEX "refresh_token_session_id_idx" ON "refresh_token" ("session_id");

CREATE TABLE "password_reset" (
  "token_hash" TEXT PRIMARY KEY,
  "account_id" UUID NOT NULL REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "password_reset_account_id_idx" ON "password_reset" ("account_id");

CREATE TABLE "rate_limit" (
  "key" TEXT PRIMARY KEY,
  "points" INTEGER NOT NULL,
  "expire" TIMESTAMPTZ(3)
);
CREATE INDEX "rate_limit_expire_idx" ON "rate_limit" ("expire");

-- Projects, and who may do what in them.
CREATE TABLE "project" (
  "id" UUID PRIMARY KEY,
  "position" BIGSERIAL NOT NULL,
  "name" TEXT NOT NULL,
  "site_url" TEXT,
  "event_number" INTEGER NOT NULL,
  "kept_blogs" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "deleted_at" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "project_position_key" ON "project" ("position");

CREATE TABLE "project_member" (
  "project_id" UUID NOT NULL REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "account_id" UUID NOT NULL REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "role" TEXT NOT NULL,
  PRIMARY KEY ("project_id", "account_id")
);
CREATE INDEX "project_member_account_id_idx" ON "project_member" ("account_id");

CREATE TABLE "invitation" (
  "id" UUID PRIMARY KEY,
  "position" BIGSERIAL NOT NULL,
  "email" TEXT NOT NULL,
  "project_id" UUID REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "role" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CHECK (("project_id" IS NULL) = ("role" IS NULL))
);
CREATE UNIQUE INDEX "invitation_position_key" ON "invitation" ("position");
CREATE UNIQUE INDEX "invitation_email_key" ON "invitation" ("email");
CREATE INDEX "invitation_project_id_idx" ON "invitation" ("project_id");

CREATE TABLE "invitation_token" (
  "token_hash" TEXT PRIMARY KEY,
  "invitation_id" UUID NOT NULL REFERENCES "invitation" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "invitation_token_invitation_id_idx" ON "invitation_token" ("invitation_id");

CREATE TABLE "member_invitation" (
  "id" UUID PRIMARY KEY,
  "position" BIGSERIAL NOT NULL,
  "project_id" UUID NOT NULL REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "email" TEXT NOT NULL,
  "role" TEXT NOT NULL,
  "invited_by" UUID NOT NULL REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "member_invitation_position_key" ON "member_invitation" ("position");
CREATE UNIQUE INDEX "member_invitation_project_id_email_key" ON "member_invitation" ("project_id", "email");
CREATE INDEX "member_invitation_email_position_idx" ON "member_invitation" ("email", "position");
CREATE INDEX "member_invitation_invited_by_idx" ON "member_invitation" ("invited_by");
CREATE INDEX "member_invitation_expires_at_idx" ON "member_invitation" ("expires_at");

CREATE TABLE "agent_key" (
  "id" UUID PRIMARY KEY,
  "position" BIGSERIAL NOT NULL,
  "project_id" UUID NOT NULL REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "name" TEXT NOT NULL,
  "key_hash" TEXT NOT NULL,
  "hint" TEXT NOT NULL,
  "created_by" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3),
  "last_used_at" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "agent_key_position_key" ON "agent_key" ("position");
CREATE UNIQUE INDEX "agent_key_key_hash_key" ON "agent_key" ("key_hash");
CREATE INDEX "agent_key_project_id_position_idx" ON "agent_key" ("project_id", "position");

CREATE TABLE "idempotent_request" (
  "caller_id" UUID NOT NULL,
  "key" TEXT NOT NULL,
  "item" TEXT NOT NULL DEFAULT '',
  "fingerprint" TEXT NOT NULL,
  "result" JSONB,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("caller_id", "key", "item")
);
CREATE INDEX "idempotent_request_created_at_idx" ON "idempotent_request" ("created_at");

-- Blogs: the working copy, and what was published of it.
CREATE TABLE "blog" (
  "id" UUID PRIMARY KEY,
  "position" BIGSERIAL NOT NULL,
  "project_id" UUID NOT NULL REFERENCES "project" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  "state" TEXT NOT NULL CHECK ("state" IN ('draft', 'published', 'unpublished', 'deleted')),
  "version" INTEGER NOT NULL DEFAULT 1,
  "event_number" INTEGER NOT NULL DEFAULT 0,
  "revision" INTEGER NOT NULL DEFAULT 0,
  "publication_began_at" TIMESTAMPTZ(3),
  "changed_since_publish" BOOLEAN NOT NULL DEFAULT true,
  "publish_at" TIMESTAMPTZ(3),
  "publish_at_set_by" UUID,
  "publish_retry_at" TIMESTAMPTZ(3),
  "title" TEXT NOT NULL,
  "slug" TEXT NOT NULL,
  "content" TEXT NOT NULL,
  "content_markdown" TEXT,
  "excerpt" TEXT,
  "made_excerpt" TEXT,
  "meta_title" TEXT,
  "meta_description" TEXT,
  "featured_image_url" TEXT,
  "generated_images" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "categories" TEXT[],
  "tags" TEXT[],
  "keyword" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "deleted_at" TIMESTAMPTZ(3),
  "image_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "publish_at_trigger" TEXT,
  "provenance" JSONB,
  CHECK (("state" = 'published') = ("publication_began_at" IS NOT NULL))
);
CREATE UNIQUE INDEX "blog_position_key" ON "blog" ("position");
CREATE INDEX "blog_project_id_position_idx" ON "blog" ("project_id", "position");
-- Lists without the tombstones, which are kept for ever.
CREATE INDEX "blog_kept" ON "blog" ("project_id", "position") WHERE "state" <> 'deleted';
CREATE INDEX "blog_scheduled" ON "blog" ("project_id", "publish_at", "position") WHERE "publish_at" IS NOT NULL;
-- What is tried next.
CREATE INDEX "blog_next_publish" ON "blog" (COALESCE("publish_retry_at", "publish_at")) WHERE "publish_at" IS NOT NULL;

CREATE TABLE "blog_revision" (
  "blog_id" UUID NOT NULL REFERENCES "blog" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "number" INTEGER NOT NULL,
  "title" TEXT NOT NULL,
  "slug" TEXT NOT NULL,
  "content" TEXT NOT NULL,
  "content_markdown" TEXT,
  "excerpt" TEXT,
  "meta_title" TEXT,
  "meta_description" TEXT,
  "featured_image_url" TEXT,
  "generated_images" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "categories" TEXT[],
  "tags" TEXT[],
  "keyword" TEXT,
  "published_at" TIMESTAMPTZ(3) NOT NULL,
  "image_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "provenance" JSONB,
  PRIMARY KEY ("blog_id", "number")
);

CREATE TABLE "slug_claim" (
  "project_id" UUID NOT NULL,
  "slug" TEXT NOT NULL,
  "blog_id" UUID NOT NULL,
  PRIMARY KEY ("project_id", "slug")
);
CREATE INDEX "slug_claim_blog_id_idx" ON "slug_claim" ("blog_id");

CREATE TABLE "publish" (
  "id" UUID PRIMARY KEY,
  "position" BIGSERIAL NOT NULL,
  "project_id" UUID NOT NULL,
  "blog_id" UUID NOT NULL REFERENCES "blog" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  "revision" INTEGER NOT NULL,
  "event_number" INTEGER NOT NULL,
  "trigger" TEXT NOT NULL,
  "requested_by" UUID,
  "requested_at" TIMESTAMPTZ(3) NOT NULL,
  "scheduled_for" TIMESTAMPTZ(3),
  "served_at" TIMESTAMPTZ(3),
  "planned_at" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "publish_position_key" ON "publish" ("position");
CREATE INDEX "publish_blog_id_position_idx" ON "publish" ("blog_id", "position");
CREATE INDEX "publish_project_id_position_idx" ON "publish" ("project_id", "position");
CREATE INDEX "publish_project_id_trigger_position_idx" ON "publish" ("project_id", "trigger", "position");

CREATE TABLE "publish_delivery" (
  "delivery_id" UUID PRIMARY KEY,
  "publish_id" UUID NOT NULL REFERENCES "publish" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "integration_id" UUID NOT NULL,
  "receiver" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "reason" TEXT,
  "detail" TEXT,
  "attempts" INTEGER NOT NULL,
  "status_code" INTEGER,
  "live_url" TEXT,
  "external_id" TEXT,
  "next_attempt_at" TIMESTAMPTZ(3),
  "finished_at" TIMESTAMPTZ(3)
);
CREATE INDEX "publish_delivery_publish_id_idx" ON "publish_delivery" ("publish_id");

-- Posts that come in files.
CREATE TABLE "import" (
  "id" UUID PRIMARY KEY,
  "position" BIGSERIAL NOT NULL,
  "project_id" UUID NOT NULL REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "requested_by" UUID NOT NULL,
  "publish" BOOLEAN NOT NULL,
  "existing" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "finished_at" TIMESTAMPTZ(3),
  "host_images" BOOLEAN NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX "import_position_key" ON "import" ("position");
CREATE INDEX "import_project_id_position_idx" ON "import" ("project_id", "position");
CREATE INDEX "import_unfinished" ON "import" ("position") WHERE "finished_at" IS NULL;

CREATE TABLE "import_file" (
  "import_id" UUID NOT NULL REFERENCES "import" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "number" INTEGER NOT NULL,
  "path" TEXT NOT NULL,
  "post" JSONB,
  "status" TEXT NOT NULL CHECK ("status" IN ('waiting', 'created', 'updated', 'skipped', 'failed')),
  "message" TEXT,
  "blog_id" UUID,
  "image_id" UUID,
  PRIMARY KEY ("import_id", "number"),
  CHECK (("post" IS NOT NULL) = ("status" = 'waiting'))
);
CREATE INDEX "import_file_waiting" ON "import_file" ("import_id", "number") WHERE "status" = 'waiting';

-- Published posts as link suggestions find them.
CREATE TABLE "link_target" (
  "blog_id" UUID PRIMARY KEY,
  "project_id" UUID NOT NULL,
  "slug" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "keyword" TEXT,
  "words" TEXT[]
);
CREATE INDEX "link_target_project_id_idx" ON "link_target" ("project_id");
CREATE INDEX "link_target_words" ON "link_target" USING GIN ("words");

-- Posts and proposals that the service writes.
CREATE TABLE "generation_job" (
  "id" UUID PRIMARY KEY,
  "position" BIGSERIAL NOT NULL,
  "project_id" UUID NOT NULL,
  "requested_by" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "origin" TEXT,
  "request" JSONB NOT NULL,
  "sources" JSONB,
  "status" TEXT NOT NULL,
  "step" TEXT NOT NULL,
  "steps_done" INTEGER NOT NULL DEFAULT 0,
  "steps_in_all" INTEGER NOT NULL,
  "work" JSONB,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
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
  "max_micros" BIGINT,
  "topic" TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX "generation_job_position_key" ON "generation_job" ("position");
CREATE INDEX "generation_job_project_id_position_idx" ON "generation_job" ("project_id", "position");
CREATE INDEX "generation_job_project_id_turn_idx" ON "generation_job" ("project_id", "turn");
-- Jobs that have not ended, which a claim looks through.
CREATE INDEX "generation_job_open" ON "generation_job" ("project_id") WHERE "status" IN ('waiting', 'running');
CREATE SEQUENCE "generation_turn";
ALTER TABLE "generation_job"
  ADD CONSTRAINT "generation_job_status_check" CHECK ("status" IN ('waiting', 'running', 'succeeded', 'failed', 'cancelled')),
  ADD CONSTRAINT "generation_job_kind_check" CHECK ("kind" IN ('post', 'proposal')),
  -- A reservation is a charge: nothing is ever charged below what was spent.
  ADD CONSTRAINT "generation_job_charged_check" CHECK ("charged_micros" >= 0 AND "charged_tokens" >= 0);

CREATE TABLE "generation_event" (
  "job_id" UUID NOT NULL REFERENCES "generation_job" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "number" INTEGER NOT NULL,
  "data" JSONB NOT NULL,
  PRIMARY KEY ("job_id", "number")
);

CREATE TABLE "generation_month" (
  "project_id" UUID NOT NULL,
  "month" TEXT NOT NULL,
  "charged_micros" BIGINT NOT NULL DEFAULT 0,
  "charged_tokens" BIGINT NOT NULL DEFAULT 0,
  "input_tokens" BIGINT NOT NULL DEFAULT 0,
  "output_tokens" BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY ("project_id", "month")
);

CREATE TABLE "generation_settings" (
  "project_id" UUID PRIMARY KEY,
  "base_url" TEXT,
  "sealed_key" TEXT,
  "key_hint" TEXT,
  "model" TEXT,
  "image_model" TEXT,
  "input_micros" BIGINT NOT NULL,
  "output_micros" BIGINT NOT NULL,
  "image_micros" BIGINT NOT NULL,
  "job_micros" BIGINT,
  "month_micros" BIGINT,
  "job_tokens" BIGINT,
  "month_tokens" BIGINT,
  "updated_at" TIMESTAMPTZ(3) NOT NULL
);

CREATE TABLE "proposal" (
  "id" UUID PRIMARY KEY,
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
  "created_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "proposal_position_key" ON "proposal" ("position");
CREATE INDEX "proposal_project_id_position_idx" ON "proposal" ("project_id", "position");
CREATE INDEX "proposal_blog_id_position_idx" ON "proposal" ("blog_id", "position");

-- The library of images.
CREATE TABLE "image" (
  "id" UUID PRIMARY KEY,
  "position" BIGSERIAL NOT NULL,
  "project_id" UUID NOT NULL REFERENCES "project" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  "sha256" TEXT NOT NULL,
  "given_sha256" TEXT NOT NULL,
  "ext" TEXT NOT NULL CHECK ("ext" IN ('jpg', 'png', 'webp', 'avif', 'gif')),
  "width" INTEGER NOT NULL,
  "height" INTEGER NOT NULL,
  "is_animated" BOOLEAN NOT NULL DEFAULT false,
  "bytes" INTEGER NOT NULL,
  "alt" TEXT NOT NULL DEFAULT '',
  "name" TEXT NOT NULL DEFAULT '',
  "source" TEXT NOT NULL CHECK ("source" IN ('upload', 'url', 'generated', 'imported')),
  "job_id" UUID,
  "created_by" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "state" TEXT NOT NULL CHECK ("state" IN ('storing', 'stored', 'deleting')),
  "state_due_at" TIMESTAMPTZ(3),
  "unused_since" TIMESTAMPTZ(3),
  "use_checked_at" TIMESTAMPTZ(3) NOT NULL,
  "deleted_at" TIMESTAMPTZ(3),
  "variants_wanted" INTEGER NOT NULL DEFAULT 0,
  "variants_missing" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "variants_failed" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "variants_due_at" TIMESTAMPTZ(3),
  "variant_tries" INTEGER NOT NULL DEFAULT 0,
  -- Whoever is to clear it up finds it by its time.
  CHECK (("state" = 'stored') = ("state_due_at" IS NULL))
);
CREATE UNIQUE INDEX "image_position_key" ON "image" ("position");
CREATE INDEX "image_project_id_given_sha256_idx" ON "image" ("project_id", "given_sha256");
CREATE INDEX "image_project_id_position_idx" ON "image" ("project_id", "position");
CREATE INDEX "image_variants_due_at_idx" ON "image" ("variants_due_at");
CREATE INDEX "image_use_checked_at_idx" ON "image" ("use_checked_at");
CREATE INDEX "image_state_due_at_idx" ON "image" ("state_due_at");
CREATE INDEX "image_job_id_idx" ON "image" ("job_id");
CREATE UNIQUE INDEX "image_project_id_sha256_key" ON "image" ("project_id", "sha256");
CREATE INDEX "blog_image_hashes_idx" ON "blog" USING GIN ("image_hashes");
CREATE INDEX "blog_revision_image_hashes_idx" ON "blog_revision" USING GIN ("image_hashes");

-- Topics that a project has written by itself.
CREATE TABLE "autopilot" (
  "project_id" UUID PRIMARY KEY,
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
  "set_by" UUID NOT NULL
);

CREATE TABLE "autopilot_topic" (
  "id" UUID PRIMARY KEY,
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
  "created_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "autopilot_topic_project_id_status_rank_idx" ON "autopilot_topic" ("project_id", "status", "rank");

-- What is due.
CREATE INDEX "autopilot_next_run" ON "autopilot" ("next_run_at") WHERE "next_run_at" IS NOT NULL;

-- A project's autopilot writes one post at a time.
CREATE UNIQUE INDEX "autopilot_topic_writing" ON "autopilot_topic" ("project_id") WHERE "status" = 'writing';

-- What has changed in projects, for pages that watch them.
CREATE TABLE "project_event" (
  "position" BIGSERIAL PRIMARY KEY,
  "xid" BIGINT NOT NULL,
  "project_id" UUID NOT NULL,
  "data" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "project_event_xid_idx" ON "project_event" ("xid");
CREATE INDEX "project_event_created_at_idx" ON "project_event" ("created_at");

-- Emails that are to be sent.
CREATE TABLE "email" (
  "id" UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  "kind" TEXT NOT NULL,
  "recipient" TEXT NOT NULL,
  "about" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX "email_due_at_idx" ON "email" ("due_at");

CREATE TABLE "receiver_alarm" (
  "integration_id" UUID PRIMARY KEY,
  "failing_since" TIMESTAMPTZ(3) NOT NULL,
  "told_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX "receiver_alarm_told_at_idx" ON "receiver_alarm" ("told_at");

-- Events waiting for the relay. Many events of one transaction may be in one row.
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
  "published_at" TIMESTAMPTZ(3),
  "bundle" JSON
);
-- Not packed: what is read of it at once is bounded by its size, and it is stored as large as it is read.
ALTER TABLE "outbox" ALTER COLUMN "data" SET STORAGE EXTERNAL, ALTER COLUMN "bundle" SET STORAGE EXTERNAL;
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
