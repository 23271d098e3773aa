-- The translations of a post are found by their common key.
CREATE INDEX "published_blog_translation_key" ON "published_blog" ("project_id", ("extra" ->> 'translation_key'))
    WHERE "extra" ->> 'translation_key' IS NOT NULL;
