-- CreateTable
CREATE TABLE "link_target" (
    "blog_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "keyword" TEXT,
    "words" TEXT[],

    CONSTRAINT "link_target_pkey" PRIMARY KEY ("blog_id")
);

-- CreateIndex
CREATE INDEX "link_target_project_id_idx" ON "link_target"("project_id");

-- CreateIndex
CREATE INDEX "link_target_words" ON "link_target" USING GIN ("words");

-- Posts that are published already: the words as SQL finds them, until they are published again.
INSERT INTO "link_target" ("blog_id", "project_id", "slug", "title", "keyword", "words")
SELECT blog."id", blog."project_id", revision."slug", revision."title", revision."keyword",
  ARRAY(SELECT DISTINCT word FROM regexp_split_to_table(
    blog."project_id"::text || ' ' || lower(concat_ws(' ', revision."title", revision."keyword", array_to_string(revision."tags", ' '))),
    '[\s,.:;!?"''()]+') AS word WHERE length(word) > 1)
FROM "blog" blog JOIN "blog_revision" revision ON revision."blog_id" = blog."id" AND revision."number" = blog."revision"
WHERE blog."state" = 'published';
