CREATE TABLE "account" (
  "id" UUID PRIMARY KEY,
  "email" TEXT NOT NULL,
  "password_hash" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "account_email_key" ON "account" ("email");

CREATE TABLE "project" (
  "id" UUID PRIMARY KEY,
  "position" BIGSERIAL NOT NULL,
  "name" TEXT NOT NULL,
  "site_url" TEXT,
  "event_number" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "project_position_key" ON "project" ("position");

CREATE TABLE "project_member" (
  "project_id" UUID NOT NULL REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "account_id" UUID NOT NULL REFERENCES "account" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "role" TEXT NOT NULL,
  PRIMARY KEY ("project_id", "account_id")
);
CREATE INDEX "project_member_account_id_idx" ON "project_member" ("account_id");

CREATE TABLE "blog" (
  "id" UUID PRIMARY KEY,
  "position" BIGSERIAL NOT NULL,
  "project_id" UUID NOT NULL REFERENCES "project" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  "state" TEXT NOT NULL CHECK ("state" IN ('draft', 'published', 'unpublished', 'deleted')),
  "event_number" INTEGER NOT NULL DEFAULT 0,
  "revision" INTEGER NOT NULL DEFAULT 0,
  "publication_began_at" TIMESTAMPTZ(3),
  "changed_since_publish" BOOLEAN NOT NULL DEFAULT true,
  "title" TEXT NOT NULL,
  "slug" TEXT NOT NULL,
  "content" TEXT NOT NULL,
  "excerpt" TEXT,
  "meta_title" TEXT,
  "meta_description" TEXT,
  "featured_image_url" TEXT,
  "categories" TEXT[],
  "tags" TEXT[],
  "keyword" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "deleted_at" TIMESTAMPTZ(3),
  CHECK (("state" = 'published') = ("publication_began_at" IS NOT NULL))
);
CREATE UNIQUE INDEX "blog_position_key" ON "blog" ("position");
CREATE INDEX "blog_project_id_position_idx" ON "blog" ("project_id", "position");

CREATE TABLE "blog_revision" (
  "blog_id" UUID NOT NULL REFERENCES "blog" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "number" INTEGER NOT NULL,
  "title" TEXT NOT NULL,
  "slug" TEXT NOT NULL,
  "content" TEXT NOT NULL,
  "excerpt" TEXT,
  "meta_title" TEXT,
  "meta_description" TEXT,
  "featured_image_url" TEXT,
  "categories" TEXT[],
  "tags" TEXT[],
  "keyword" TEXT,
  "published_at" TIMESTAMPTZ(3) NOT NULL,
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
  "trigger" TEXT NOT NULL,
  "requested_at" TIMESTAMPTZ(3) NOT NULL,
  "planned_at" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "publish_position_key" ON "publish" ("position");
CREATE INDEX "publish_blog_id_position_idx" ON "publish" ("blog_id", "position");

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
  "finished_at" TIMESTAMPTZ(3)
);
CREATE INDEX "publish_delivery_publish_id_idx" ON "publish_delivery" ("publish_id");

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
