-- What an administrator has stopped of a project.
ALTER TABLE "project" ADD COLUMN "suspended" TEXT;
