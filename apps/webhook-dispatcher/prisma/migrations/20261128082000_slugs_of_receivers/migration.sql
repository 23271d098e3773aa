-- AlterTable
ALTER TABLE "receiver_blog" ADD COLUMN     "slug" TEXT,
ADD COLUMN     "slug_position" BIGINT;

-- What receivers have: what their latest successful delivery brought. Where the log has forgotten that, the newest
-- event of the blog is what they have, unless its delivery failed more than a month ago.
UPDATE "receiver_blog" r SET "slug_position" = r."position", "slug" = coalesce(
  (SELECT e."data" -> 'revision' ->> 'slug' FROM "delivery" d JOIN "lifecycle_event" e ON e."id" = d."lifecycle_event_id"
   WHERE d."integration_id" = r."integration_id" AND d."position" = r."position"),
  (SELECT e."data" -> 'revision' ->> 'slug' FROM "lifecycle_event" e
   WHERE e."blog_id" = r."blog_id" AND e."newest" AND NOT EXISTS (
     SELECT FROM "delivery" d WHERE d."integration_id" = r."integration_id" AND d."position" >= r."position"
       AND d."blog_id" = r."blog_id")))
WHERE r."published";
