-- An administrator can stop writes and deliveries of a project, or its public reads too.
ALTER TABLE "project" ADD COLUMN "suspended" TEXT CHECK ("suspended" IN ('writes', 'all')),
  ADD COLUMN "suspended_at" TIMESTAMPTZ(3),
  ADD COLUMN "suspended_reason" TEXT;
