-- AlterTable
ALTER TABLE "link_target" ADD COLUMN     "language" TEXT,
ADD COLUMN     "translation_key" TEXT;

-- CreateTable
CREATE TABLE "link_translation_change" (
    "project_id" UUID NOT NULL,
    "target_id" UUID NOT NULL,
    "language" TEXT NOT NULL,
    "caused_by" UUID,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "after_blog" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,

    CONSTRAINT "link_translation_change_pkey" PRIMARY KEY ("project_id","target_id","language")
);

-- CreateIndex
CREATE INDEX "link_target_project_id_translation_key_idx" ON "link_target"("project_id", "translation_key");

-- What is known of posts from before.
UPDATE "link_target" SET
    "language" = "data" -> 'revision' ->> 'language',
    "translation_key" = "data" -> 'revision' ->> 'translation_key'
FROM "lifecycle_event"
WHERE "lifecycle_event"."blog_id" = "link_target"."blog_id" AND "newest"
    AND "link_target"."slug" IS NOT NULL AND "data" -> 'revision' ->> 'language' IS NOT NULL;

-- What is stale already at receivers whose links are healed.
INSERT INTO "link_recheck" ("integration_id", "project_id")
SELECT "id", "project_id" FROM "integration" WHERE "heal_links" AND "active" AND "deleted_at" IS NULL
ON CONFLICT DO NOTHING;
