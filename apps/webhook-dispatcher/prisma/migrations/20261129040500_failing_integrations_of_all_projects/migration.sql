-- Few fail: they are found across all projects without looking at the others.
CREATE INDEX "integration_failing_idx" ON "integration" ("project_id") WHERE "failing_since" IS NOT NULL;
