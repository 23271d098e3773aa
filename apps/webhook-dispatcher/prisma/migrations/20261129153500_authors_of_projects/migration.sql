-- What finds a project's authors at destinations: names, slugs and addresses.
ALTER TABLE "project" ADD COLUMN     "authors" JSONB NOT NULL DEFAULT '[]';
