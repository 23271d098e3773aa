-- What `since` reads. All of it begins empty: a project answers with what has changed once its links are known.
ALTER TABLE "project" ADD COLUMN "changes_from" BIGINT, ADD COLUMN "logged_version" BIGINT, ADD COLUMN "links_known" BOOLEAN;

CREATE TABLE "blog_change" (
  "project_id" UUID NOT NULL,
  "slug" TEXT NOT NULL,
  "blog_id" UUID NOT NULL,
  "version" BIGINT NOT NULL,
  "kind" SMALLINT NOT NULL,
  CONSTRAINT "blog_change_pkey" PRIMARY KEY ("project_id", "slug", "blog_id")
);
CREATE INDEX "blog_change_project_id_version_kind_slug_blog_id_idx" ON "blog_change" ("project_id", "version", "kind", "slug", "blog_id");

CREATE TABLE "blog_link" (
  "project_id" UUID NOT NULL,
  "slug" TEXT NOT NULL,
  "blog_id" UUID NOT NULL,
  CONSTRAINT "blog_link_pkey" PRIMARY KEY ("project_id", "slug", "blog_id")
);
