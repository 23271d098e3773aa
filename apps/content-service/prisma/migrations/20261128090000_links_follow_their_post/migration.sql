-- AlterTable
ALTER TABLE "slug_claim" ADD COLUMN     "was_published" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "blog_revision" ADD COLUMN     "links" JSONB;

-- AlterTable
ALTER TABLE "blog" ADD COLUMN     "linked_slug" TEXT;

-- CreateTable
CREATE TABLE "blog_link" (
    "blog_id" UUID NOT NULL,
    "is_published" BOOLEAN NOT NULL,
    "slug" TEXT NOT NULL,
    "project_id" UUID NOT NULL,
    "target_id" UUID,

    CONSTRAINT "blog_link_pkey" PRIMARY KEY ("blog_id","is_published","slug")
);

-- CreateIndex
CREATE INDEX "blog_link_target_id_blog_id_idx" ON "blog_link"("target_id", "blog_id");

-- What a new blog looks for: links of working copies that name its slug.
CREATE INDEX "blog_link_unbound" ON "blog_link" ("project_id", "slug") WHERE "target_id" IS NULL AND NOT "is_published";

-- Slugs that blogs were published under become their aliases, where nobody else has them now: those of the last
-- revisions, and of two blogs that had one the later blog's.
UPDATE "slug_claim" SET "was_published" = true FROM "blog_revision"
WHERE "blog_revision"."blog_id" = "slug_claim"."blog_id" AND "blog_revision"."slug" = "slug_claim"."slug";

INSERT INTO "slug_claim" ("project_id", "slug", "blog_id", "was_published")
SELECT DISTINCT ON ("project_id", "slug") "project_id", "slug", "blog_id", true FROM (
  SELECT "blog"."project_id", "blog"."id" AS "blog_id", "revision"."slug", max("revision"."published_at") AS "last_at",
    row_number() OVER (PARTITION BY "blog"."id" ORDER BY max("revision"."number") DESC) AS "place"
  FROM "blog" JOIN "blog_revision" "revision" ON "revision"."blog_id" = "blog"."id"
  WHERE "blog"."state" <> 'deleted'
  GROUP BY "blog"."project_id", "blog"."id", "revision"."slug"
) AS "published"
WHERE "place" <= 200
ORDER BY "project_id", "slug", "last_at" DESC
ON CONFLICT DO NOTHING;

-- Placeholders are bound to the blogs that have their slugs now, those of working copies and of what readers see.
CREATE TEMPORARY TABLE "content_link" AS
SELECT DISTINCT "content"."blog_id", "is_published", "project_id", lower("named"[1]) AS "slug" FROM (
  SELECT "id" AS "blog_id", false AS "is_published", "project_id", "content" FROM "blog" WHERE "state" <> 'deleted'
  UNION ALL
  SELECT "blog"."id", true, "blog"."project_id", "revision"."content"
  FROM "blog" JOIN "blog_revision" "revision"
    ON "revision"."blog_id" = "blog"."id" AND "revision"."number" = "blog"."revision"
  WHERE "blog"."state" = 'published'
) AS "content",
regexp_matches("content"."content", '(?:\[|%5b|&#91;)internal(?::|%3a|&#58;)\s*([a-z0-9]+(?:-[a-z0-9]+)*)\s*(?:\]|%5d|&#93;)', 'gi') AS "named"
WHERE length("named"[1]) <= 200;

INSERT INTO "blog_link" ("blog_id", "is_published", "slug", "project_id", "target_id")
SELECT "link"."blog_id", "link"."is_published", "link"."slug", "link"."project_id", "claim"."blog_id"
FROM "content_link" "link" LEFT JOIN "slug_claim" "claim"
  ON "claim"."project_id" = "link"."project_id" AND "claim"."slug" = "link"."slug"
WHERE NOT "link"."is_published" OR "claim"."blog_id" IS NOT NULL;

UPDATE "blog_revision" SET "links" = "bound"."links" FROM (
  SELECT "blog"."id", "blog"."revision", jsonb_object_agg("link"."slug", "link"."target_id") AS "links"
  FROM "blog_link" "link" JOIN "blog" ON "blog"."id" = "link"."blog_id" WHERE "link"."is_published"
  GROUP BY "blog"."id"
) AS "bound"
WHERE "blog_revision"."blog_id" = "bound"."id" AND "blog_revision"."number" = "bound"."revision";

DROP TABLE "content_link";
