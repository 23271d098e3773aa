-- Links follow posts that are renamed. Rows of before go by the slugs that their placeholders name.
ALTER TABLE "published_blog" ADD COLUMN "link_bindings" JSONB;
ALTER TABLE "blog_position" ADD COLUMN "slug" TEXT;
CREATE INDEX "blog_position_project_id_slug_idx" ON "blog_position" ("project_id", "slug");

CREATE TABLE "blog_alias" (
  "project_id" UUID NOT NULL,
  "alias" TEXT NOT NULL,
  "blog_id" UUID NOT NULL,
  CONSTRAINT "blog_alias_pkey" PRIMARY KEY ("project_id", "alias", "blog_id")
);
CREATE INDEX "blog_alias_blog_id_idx" ON "blog_alias" ("blog_id");
