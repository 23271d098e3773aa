-- AlterTable
ALTER TABLE "idempotent_request" ADD COLUMN     "blog_id" UUID,
ADD COLUMN     "project_id" UUID;

-- CreateIndex
CREATE INDEX "idempotent_request_project_id_idx" ON "idempotent_request"("project_id");

-- CreateIndex
CREATE INDEX "idempotent_request_blog_id_idx" ON "idempotent_request"("blog_id");
