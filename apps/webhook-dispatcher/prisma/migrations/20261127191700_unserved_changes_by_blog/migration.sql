-- Changes that wait are looked up by their blog, however many of the project wait. It answers by project, too.
CREATE INDEX "deploy_hook_change_waiting_idx" ON "deploy_hook_change" ("project_id", "blog_id") WHERE "request_id" IS NULL;
DROP INDEX "deploy_hook_change_project_idx";
