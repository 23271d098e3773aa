-- CreateTable
CREATE TABLE "import_image_part" (
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "part" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "import_image_part_pkey" PRIMARY KEY ("import_id", "number", "part")
);

-- Images are compressed already.
ALTER TABLE "import_image_part" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

-- AddForeignKey
ALTER TABLE "import_image_part" ADD CONSTRAINT "import_image_part_import_id_number_fkey" FOREIGN KEY ("import_id", "number") REFERENCES "import_file"("import_id", "number") ON DELETE CASCADE ON UPDATE CASCADE;
