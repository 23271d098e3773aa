-- Fields beyond the contract's share a column. Processes of before leave it as it is.
ALTER TABLE "published_blog" ADD COLUMN "extra" JSONB NOT NULL DEFAULT '{}';
