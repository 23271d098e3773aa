-- AlterTable
ALTER TABLE "generation_job" ADD COLUMN     "topic" TEXT NOT NULL DEFAULT '';
