CREATE TABLE "translation_source" (
    "blog_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    CONSTRAINT "translation_source_pkey" PRIMARY KEY ("blog_id")
);
