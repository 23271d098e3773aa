-- What a project tries next: without it, each look for what is due reads all that wait for another try.
CREATE INDEX "blog_next_publish_of_project" ON "blog" ("project_id", COALESCE("publish_retry_at", "publish_at"), "position")
  WHERE "publish_at" IS NOT NULL;
