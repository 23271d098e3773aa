-- AlterTable
ALTER TABLE "project" ADD COLUMN "account_id" UUID;
-- Who was the first owner is not known any more of projects from before.
UPDATE "project" SET "account_id" = (
    SELECT m."account_id" FROM "project_member" m WHERE m."project_id" = "project"."id" AND m."role" = 'owner' ORDER BY m."account_id" LIMIT 1);
