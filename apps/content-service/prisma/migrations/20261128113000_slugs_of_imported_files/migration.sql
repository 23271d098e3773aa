-- Which slug a file gave its blog: the blog may have been renamed since.
ALTER TABLE "import_file" ADD COLUMN "slug" TEXT;
CREATE INDEX "import_file_slug_idx" ON "import_file"("slug");
