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
  CONSTRAINT "published_blog_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "published_blog_project_id_published_at_id_idx" ON "published_blog" ("project_id", "published_at" DESC, "id" DESC);
CREATE INDEX "published_blog_project_id_slug_idx" ON "published_blog" ("project_id", "slug");

CREATE TABLE "blog_position" (
  "blog_id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "event_number" INTEGER NOT NULL,
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
