-- AlterTable
ALTER TABLE "integration" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'webhook',
ADD COLUMN     "settings" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "destination_post" (
    "integration_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "post_id" TEXT,
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "destination_post_pkey" PRIMARY KEY ("integration_id","blog_id")
);

-- CreateTable
CREATE TABLE "destination_image" (
    "integration_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "image_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,

    CONSTRAINT "destination_image_pkey" PRIMARY KEY ("integration_id","source")
);

-- CreateIndex
CREATE INDEX "destination_post_integration_id_slug_idx" ON "destination_post"("integration_id", "slug");
