-- Owners may have manual deliveries to a receiver retried. Each delivery keeps what was chosen when it was planned.
ALTER TABLE "integration" ADD COLUMN     "retry_manual" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "delivery" ADD COLUMN     "retry_manual" BOOLEAN NOT NULL DEFAULT false;

-- All others are still attempted once at most. Rows that are there kept the stricter rule, so none has to be checked.
ALTER TABLE "delivery" DROP CONSTRAINT "delivery_manual_once";
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_manual_once"
  CHECK ("trigger" = 'autopilot' OR "retry_manual" OR "attempts" <= 1) NOT VALID;
