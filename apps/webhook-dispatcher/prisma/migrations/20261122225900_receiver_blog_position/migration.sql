-- AlterTable
ALTER TABLE "receiver_blog" ADD COLUMN     "position" BIGINT NOT NULL DEFAULT 0;
