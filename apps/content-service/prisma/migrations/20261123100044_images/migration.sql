-- AlterTable
ALTER TABLE "blog" ADD COLUMN     "image_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "blog_revision" ADD COLUMN     "image_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "image" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "sha256" TEXT NOT NULL,
    "given_sha256" TEXT NOT NULL,
    "ext" TEXT NOT NULL CHECK ("ext" IN ('jpg', 'png', 'webp', 'avif', 'gif')),
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "is_animated" BOOLEAN NOT NULL DEFAULT false,
    "bytes" INTEGER NOT NULL,
    "alt" TEXT NOT NULL DEFAULT '',
    "name" TEXT NOT NULL DEFAULT '',
    "source" TEXT NOT NULL CHECK ("source" IN ('upload', 'url', 'generated', 'imported')),
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL CHECK ("state" IN ('storing', 'stored', 'deleting')),
    "state_due_at" TIMESTAMPTZ(3),
    "unused_since" TIMESTAMPTZ(3),
    "use_checked_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "variants_wanted" INTEGER NOT NULL DEFAULT 0,
    "variants_missing" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "variants_failed" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "variants_due_at" TIMESTAMPTZ(3),
    "variant_tries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "image_pkey" PRIMARY KEY ("id"),
    -- Whoever is to clear it up finds it by its time.
    CHECK (("state" = 'stored') = ("state_due_at" IS NULL))
);

-- CreateIndex
CREATE UNIQUE INDEX "image_position_key" ON "image"("position");

-- CreateIndex
CREATE INDEX "image_project_id_given_sha256_idx" ON "image"("project_id", "given_sha256");

-- CreateIndex
CREATE INDEX "image_project_id_position_idx" ON "image"("project_id", "position");

-- CreateIndex
CREATE INDEX "image_variants_due_at_idx" ON "image"("variants_due_at");

-- CreateIndex
CREATE INDEX "image_use_checked_at_idx" ON "image"("use_checked_at");

-- CreateIndex
CREATE INDEX "image_state_due_at_idx" ON "image"("state_due_at");

-- CreateIndex
CREATE UNIQUE INDEX "image_project_id_sha256_key" ON "image"("project_id", "sha256");

-- CreateIndex
CREATE INDEX "blog_image_hashes_idx" ON "blog" USING GIN ("image_hashes");

-- CreateIndex
CREATE INDEX "blog_revision_image_hashes_idx" ON "blog_revision" USING GIN ("image_hashes");

-- AddForeignKey
ALTER TABLE "image" ADD CONSTRAINT "image_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
