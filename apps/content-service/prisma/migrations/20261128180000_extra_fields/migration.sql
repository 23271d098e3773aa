-- Fields beyond the contract's share a column. Processes of before leave it as it is.
ALTER TABLE "blog" ADD COLUMN "extra" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "blog_revision" ADD COLUMN "extra" JSONB NOT NULL DEFAULT '{}';
