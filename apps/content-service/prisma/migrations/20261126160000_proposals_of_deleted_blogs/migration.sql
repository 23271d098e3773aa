-- What a deleted blog has left, from before it went with the blog.
DELETE FROM "proposal" USING "blog" WHERE "blog"."id" = "proposal"."blog_id" AND "blog"."state" = 'deleted';

UPDATE "generation_job" SET "report" = NULL FROM "blog"
WHERE "blog"."id" = "generation_job"."blog_id" AND "blog"."state" = 'deleted' AND "generation_job"."report" IS NOT NULL;
