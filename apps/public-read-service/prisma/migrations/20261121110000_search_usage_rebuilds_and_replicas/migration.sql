ALTER TABLE "blog_position" ADD COLUMN "announced_number" INTEGER;

CREATE TABLE "key_usage" (
  "project_id" UUID NOT NULL,
  "day" DATE NOT NULL,
  "requests" BIGINT NOT NULL,
  "not_modified" BIGINT NOT NULL,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "key_usage_pkey" PRIMARY KEY ("project_id", "day")
);
CREATE INDEX "key_usage_day_idx" ON "key_usage" ("day");

ALTER TABLE "published_blog" ADD COLUMN "search" tsvector NOT NULL DEFAULT ''::tsvector;
-- Words that are all different hardly compress, and compressing was a quarter of what storing a blog costs. Content
-- takes more room so, and less time whenever it is read.
ALTER TABLE "published_blog" ALTER COLUMN "search" SET STORAGE EXTERNAL, ALTER COLUMN "segments" SET STORAGE EXTERNAL;

-- What is published already can be searched at once, by words that are about those of search/search-words.ts: tags are cut
-- out, entities are not decoded and the database's locale decides on capitals. The next publish of a blog, or a rebuild of
-- the read model, makes them exact.
UPDATE "published_blog" SET "search" = array_to_tsvector(ARRAY(
  SELECT DISTINCT left(word, 64)
  FROM regexp_split_to_table(
    left(
      lower(concat_ws(' ', "title", "excerpt", array_to_string("tags", ' '), (
        SELECT regexp_replace(string_agg(segment #>> '{}', ' '), '<[^>]*>', ' ', 'g')
        FROM jsonb_array_elements("segments") AS segment WHERE jsonb_typeof(segment) = 'string'))),
      100000),
    '[\u0001-\u002F\u003A-\u0060\u007B-\u00A9\u00AB-\u00B4\u00B6-\u00B9\u00BB-\u00BF\u2000-\u206F\u3000-\u303F\uFF00-\uFF0F]+'
  ) AS word
  WHERE word <> ''));

-- Grows by one with every commit that readers can see, in the order of the commits (ADR 21).
CREATE TABLE "read_epoch" (
  "id" SMALLINT NOT NULL DEFAULT 1 CHECK ("id" = 1),
  "epoch" BIGINT NOT NULL,
  CONSTRAINT "read_epoch_pkey" PRIMARY KEY ("id")
);
INSERT INTO "read_epoch" ("epoch") VALUES (0);

CREATE TABLE "replica" (
  "id" UUID NOT NULL,
  "seen_epoch" BIGINT NOT NULL,
  "renewed_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "replica_pkey" PRIMARY KEY ("id")
);
