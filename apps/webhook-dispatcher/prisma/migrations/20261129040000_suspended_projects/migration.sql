-- What an administrator has stopped of a project: nothing is sent meanwhile.
ALTER TABLE "project" ADD COLUMN "suspended" TEXT;
-- Few are: they are looked for by each measurement of the queue.
CREATE INDEX "project_suspended_idx" ON "project" ("id") WHERE "suspended" IS NOT NULL;
