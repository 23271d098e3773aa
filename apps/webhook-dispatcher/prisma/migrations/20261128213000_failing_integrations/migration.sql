-- For the metric of failing webhooks by project, which is read at every scrape.
CREATE INDEX "integration_failing" ON "integration" ("project_id") WHERE "failing_since" IS NOT NULL;
