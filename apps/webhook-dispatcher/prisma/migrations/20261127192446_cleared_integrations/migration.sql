-- AlterTable
ALTER TABLE "integration" ADD COLUMN     "cleared" BOOLEAN NOT NULL DEFAULT false;

-- Receivers that were deleted and are not cleared yet: a few, however many are kept for the delivery log.
CREATE INDEX "integration_retired_idx" ON "integration" ("position") WHERE "deleted_at" IS NOT NULL AND NOT "cleared";
