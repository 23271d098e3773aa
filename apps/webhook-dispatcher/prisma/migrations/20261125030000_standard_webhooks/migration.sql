-- AlterTable
ALTER TABLE "integration" ADD COLUMN     "standard_webhooks" BOOLEAN NOT NULL DEFAULT false;
