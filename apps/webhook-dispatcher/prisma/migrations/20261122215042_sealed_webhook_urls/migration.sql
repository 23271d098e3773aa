-- AlterTable
ALTER TABLE "integration" ADD COLUMN     "sealed_url" TEXT;
