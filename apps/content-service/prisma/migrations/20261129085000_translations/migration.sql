-- One post per language among those with the same translation key. It starts empty: no post has had a key before.
CREATE UNIQUE INDEX "blog_translation_key" ON "blog" ("project_id", ("extra" ->> 'translation_key'), ("extra" ->> 'language'))
    WHERE "extra" ->> 'translation_key' IS NOT NULL;
