-- Whose project it is where accounts share what there is.
ALTER TABLE "project" ADD COLUMN "account_id" UUID;
