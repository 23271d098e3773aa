-- AlterTable
ALTER TABLE "import" ADD COLUMN     "host_images" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "import_file" ADD COLUMN     "image_id" UUID;
