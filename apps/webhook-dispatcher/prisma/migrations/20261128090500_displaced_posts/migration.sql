-- AlterTable
ALTER TABLE "destination_post" ADD COLUMN     "displaced" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "replaced" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "former_slug" TEXT;

-- What may move to the slug that it was asked for: a few.
CREATE INDEX "destination_post_displaced_idx" ON "destination_post" ("integration_id", "blog_id") WHERE "displaced" AND NOT "replaced";
