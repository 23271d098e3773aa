-- AlterTable
ALTER TABLE "generation_job" ADD COLUMN     "max_micros" BIGINT;
