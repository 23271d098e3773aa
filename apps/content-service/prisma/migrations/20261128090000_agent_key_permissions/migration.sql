-- What an agent key may do. The keys that are there keep what they could, and so do keys that the release before makes.
ALTER TABLE "agent_key" ADD COLUMN "permission" TEXT NOT NULL DEFAULT 'full';
ALTER TABLE "agent_key" ADD CONSTRAINT "agent_key_permission_check" CHECK ("permission" IN ('draft', 'publish', 'full'));
