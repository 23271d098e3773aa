-- AlterTable
ALTER TABLE "blog_link" ADD COLUMN     "target_id" UUID;

-- CreateTable
CREATE TABLE "blog_slug" (
    "blog_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "event_number" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,

    CONSTRAINT "blog_slug_pkey" PRIMARY KEY ("blog_id")
);

-- CreateTable
CREATE TABLE "blog_alias" (
    "project_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "blog_id" UUID NOT NULL,

    CONSTRAINT "blog_alias_pkey" PRIMARY KEY ("project_id","slug","blog_id")
);

-- CreateTable
CREATE TABLE "link_target_change" (
    "project_id" UUID NOT NULL,
    "target_id" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "after_blog" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,

    CONSTRAINT "link_target_change_pkey" PRIMARY KEY ("project_id","target_id")
);

-- CreateTable
CREATE TABLE "link_recheck" (
    "integration_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "after_blog" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,

    CONSTRAINT "link_recheck_pkey" PRIMARY KEY ("integration_id")
);

-- CreateIndex
CREATE INDEX "blog_link_project_id_target_id_blog_id_idx" ON "blog_link"("project_id", "target_id", "blog_id");

-- CreateIndex
CREATE INDEX "blog_slug_project_id_slug_idx" ON "blog_slug"("project_id", "slug");

-- CreateIndex
CREATE INDEX "blog_alias_blog_id_idx" ON "blog_alias"("blog_id");

-- CreateIndex
CREATE INDEX "link_recheck_project_id_idx" ON "link_recheck"("project_id");

-- What is known of slugs from before: those of the posts that are published.
INSERT INTO "blog_slug" ("blog_id", "project_id", "event_number", "slug")
SELECT "blog_id", "project_id", "blog_event_number", "data" -> 'revision' ->> 'slug' FROM "lifecycle_event"
WHERE "newest" AND "data" -> 'revision' ->> 'slug' IS NOT NULL
ON CONFLICT DO NOTHING;

-- What is stale already at receivers whose links are healed.
INSERT INTO "link_recheck" ("integration_id", "project_id")
SELECT "id", "project_id" FROM "integration" WHERE "heal_links" AND "active" AND "deleted_at" IS NULL;
