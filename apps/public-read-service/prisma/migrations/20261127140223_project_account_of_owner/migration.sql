-- What the next event of the project would say: members come in the order of their ids. By itself: readers would wait
-- for the lock of the statement that adds the column until this is done.
UPDATE "project" SET "account_id" = "owner"."account_id"
FROM (
  SELECT DISTINCT ON ("project_id") "project_id", "account_id" FROM "project_member"
  WHERE "role" = 'owner' ORDER BY "project_id", "account_id"
) AS "owner"
WHERE "owner"."project_id" = "project"."id";
