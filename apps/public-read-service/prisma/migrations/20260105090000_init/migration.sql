-- What this service knows of the projects.
CREATE TABLE "project" (
  "id" UUID NOT NULL,
  "name" TEXT,
  "site_url" TEXT,
  "event_number" INTEGER NOT NULL DEFAULT 0,
  "version" BIGINT NOT NULL,
  "deleted_at" TIMESTAMPTZ(3),
  CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "project_member" (
  "project_id" UUID NOT NULL,
  "account_id" UUID NOT NULL,
  "role" TEXT NOT NULL,
  CONSTRAINT "project_member_pkey" PRIMARY KEY ("project_id", "account_id"),
  CONSTRAINT "project_member_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Sessions that ended before their tokens expire.
CREATE TABLE "revoked_session" (
  "session_id" UUID NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "revoked_session_pkey" PRIMARY KEY ("session_id")
);
CREATE INDEX "revoked_session_expires_at_idx" ON "revoked_session" ("expires_at");

-- What readers get.
CREATE TABLE "published_blog" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "slug" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "excerpt" TEXT NOT NULL,
  "meta_title" TEXT,
  "meta_description" TEXT,
  "featured_image_url" TEXT,
  "categories" TEXT[],
  "tags" TEXT[],
  "segments" JSONB NOT NULL,
  "link_slugs" TEXT[],
  "published_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "search" tsvector NOT NULL DEFAULT ''::tsvector,
  CONSTRAINT "published_blog_pkey" PRIMARY KEY ("id")
);
-- Words that are all different hardly compress, and compressing was a quarter of what storing a blog costs. Content
-- takes more room so, and less time whenever it is read.
ALTER TABLE "published_blog" ALTER COLUMN "search" SET STORAGE EXTERNAL, ALTER COLUMN "segments" SET STORAGE EXTERNAL;
CREATE INDEX "published_blog_project_id_published_at_id_idx" ON "published_blog" ("project_id", "published_at" DESC, "id" DESC);
CREATE INDEX "published_blog_project_id_slug_idx" ON "published_blog" ("project_id", "slug");

-- How far a blog's events have been applied, and announced as served.
CREATE TABLE "blog_position" (
  "blog_id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "event_number" INTEGER NOT NULL,
  "announced_number" INTEGER,
  CONSTRAINT "blog_position_pkey" PRIMARY KEY ("blog_id")
);

CREATE TABLE "public_key" (
  "project_id" UUID NOT NULL,
  "key_hash" TEXT NOT NULL,
  "sealed_key" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "public_key_pkey" PRIMARY KEY ("project_id")
);
CREATE UNIQUE INDEX "public_key_key_hash_key" ON "public_key" ("key_hash");

CREATE TABLE "key_usage" (
  "project_id" UUID NOT NULL,
  "day" DATE NOT NULL,
  "requests" BIGINT NOT NULL,
  "not_modified" BIGINT NOT NULL,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "key_usage_pkey" PRIMARY KEY ("project_id", "day")
);
CREATE INDEX "key_usage_day_idx" ON "key_usage" ("day");

-- Grows by one with every commit that readers can see, in the order of the commits (ADR 14).
CREATE TABLE "read_epoch" (
  "id" SMALLINT NOT NULL DEFAULT 1 CHECK ("id" = 1),
  "epoch" BIGINT NOT NULL,
  CONSTRAINT "read_epoch_pkey" PRIMARY KEY ("id")
);
INSERT INTO "read_epoch" ("epoch") VALUES (0);

CREATE TABLE "replica" (
  "id" UUID NOT NULL,
  "seen_epoch" BIGINT NOT NULL,
  "renewed_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "replica_pkey" PRIMARY KEY ("id")
);
