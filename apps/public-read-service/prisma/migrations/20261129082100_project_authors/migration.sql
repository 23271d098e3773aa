-- The authors of a project, as blog.projects has them, without email addresses.
ALTER TABLE "project" ADD COLUMN "authors" JSONB;
