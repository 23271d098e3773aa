-- Which files imports have made a blog of.
CREATE INDEX "import_file_blog_id_idx" ON "import_file"("blog_id");
