-- AlterTable
ALTER TABLE "destination_post" ADD COLUMN     "moved" BOOLEAN NOT NULL DEFAULT false;
