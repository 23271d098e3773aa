-- A delivery is of a lifecycle event, a redelivery of a blog's newest one, or a request that the owner asked for to try a receiver.
-- Tests and samples are of no event and no blog, never wait, and have no lease: only the process that was asked can make them.
ALTER TABLE "delivery"
    ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'lifecycle',
    ALTER COLUMN "lifecycle_event_id" DROP NOT NULL,
    ALTER COLUMN "blog_id" DROP NOT NULL,
    ALTER COLUMN "blog_event_number" DROP NOT NULL,
    DROP CONSTRAINT "delivery_lease_while_in_flight",
    ADD CONSTRAINT "delivery_kind" CHECK ("kind" IN ('lifecycle', 'redelivery', 'test', 'sample')),
    ADD CONSTRAINT "delivery_lease_while_in_flight" CHECK (
        ("lease_token" IS NULL) = ("lease_until" IS NULL)
        AND ("lease_token" IS NOT NULL) = ("status" = 'in_flight' AND "kind" IN ('lifecycle', 'redelivery'))),
    ADD CONSTRAINT "delivery_of_a_blog" CHECK (
        CASE WHEN "kind" IN ('lifecycle', 'redelivery')
            THEN "lifecycle_event_id" IS NOT NULL AND "blog_id" IS NOT NULL AND "blog_event_number" IS NOT NULL
            ELSE "lifecycle_event_id" IS NULL AND "blog_id" IS NULL AND "blog_event_number" IS NULL AND "status" <> 'pending' END),
    ADD CONSTRAINT "delivery_asked_for_is_manual" CHECK ("kind" = 'lifecycle' OR "trigger" = 'manual');

-- An event is planned once for a receiver, and may be redelivered to it any number of times, one after the other.
DROP INDEX "delivery_lifecycle_event_id_integration_id_key";
CREATE UNIQUE INDEX "delivery_once_for_event_and_receiver" ON "delivery" (
    "lifecycle_event_id", "integration_id",
    (CASE "kind" WHEN 'lifecycle' THEN '00000000-0000-0000-0000-000000000000'::uuid ELSE "id" END));
CREATE UNIQUE INDEX "delivery_one_redelivery_at_a_time" ON "delivery" ("integration_id", "blog_id")
    WHERE "kind" = 'redelivery' AND "status" IN ('pending', 'in_flight');
CREATE UNIQUE INDEX "delivery_one_test_at_a_time" ON "delivery" ("integration_id")
    WHERE "kind" IN ('test', 'sample') AND "status" = 'in_flight';
-- How many a project has asked for lately.
CREATE INDEX "delivery_tests_idx" ON "delivery" ("project_id", "created_at") WHERE "kind" IN ('test', 'sample');
-- What a receiver missed since a time.
CREATE INDEX "delivery_failed_idx" ON "delivery" ("integration_id", "finished_at") WHERE "status" = 'failed';

-- What is due at a receiver, in the order in which it goes: a claim reads no more of it than it takes.
DROP INDEX "delivery_pending_idx";
CREATE INDEX "delivery_pending_idx" ON "delivery" ("integration_id", "due_at", "position") WHERE "status" = 'pending';

-- What every delivery costs. Integrations and events are never deleted, so that nothing can come to refer to none; the locks that
-- keep it so made all deliveries to one receiver wait for each other's. And nothing goes by position alone.
ALTER TABLE "delivery" DROP CONSTRAINT "delivery_lifecycle_event_id_fkey", DROP CONSTRAINT "delivery_integration_id_fkey";
ALTER TABLE "receiver_blog" DROP CONSTRAINT "receiver_blog_integration_id_fkey";
DROP INDEX "delivery_position_key";

-- What an attempt sent and got: null until it ends, and where nothing was sent.
ALTER TABLE "delivery_attempt"
    ADD COLUMN "exchange" JSONB,
    DROP CONSTRAINT "delivery_attempt_delivery_id_fkey",
    ADD CONSTRAINT "delivery_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Bodies as they were sent, compressed, each once: all receivers of a publish get the same one.
CREATE TABLE "sent_body" (
    "hash" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sent_body_pkey" PRIMARY KEY ("hash")
);
ALTER TABLE "sent_body" ALTER COLUMN "body" SET STORAGE EXTERNAL;
CREATE INDEX "sent_body_stored_at_idx" ON "sent_body" ("stored_at");

-- Custom headers, sealed, as they were at any time that the log speaks of; gone with their integration.
CREATE TABLE "integration_headers" (
    "integration_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "sealed_headers" TEXT NOT NULL,
    "replaced_at" TIMESTAMPTZ(3),

    CONSTRAINT "integration_headers_pkey" PRIMARY KEY ("integration_id", "hash")
);
CREATE INDEX "integration_headers_replaced_at_idx" ON "integration_headers" ("replaced_at") WHERE "replaced_at" IS NOT NULL;
INSERT INTO "integration_headers" ("integration_id", "hash", "sealed_headers")
    SELECT "id", rtrim(translate(encode(sha256(convert_to("sealed_headers", 'UTF8')), 'base64'), '+/', '-_'), '='), "sealed_headers"
    FROM "integration" WHERE "sealed_headers" IS NOT NULL;

-- A receiver that only fails: how often in a row and since when; flagged once both are much.
ALTER TABLE "integration"
    ADD COLUMN "failed_in_row" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "failed_from" TIMESTAMPTZ(3),
    ADD COLUMN "failing_since" TIMESTAMPTZ(3),
    ADD COLUMN "failing_reason" TEXT,
    ADD CONSTRAINT "integration_failures" CHECK (
        ("failed_in_row" > 0) = ("failed_from" IS NOT NULL)
        AND ("failing_since" IS NULL OR "failed_from" IS NOT NULL)
        AND ("failing_since" IS NULL) = ("failing_reason" IS NULL));

-- Today's content of a blog is its newest event, which keeps its body for redeliveries.
-- Kept uncompressed: packing and unpacking costs more than the room for as long as it is needed.
ALTER TABLE "lifecycle_event" ADD COLUMN "newest" BOOLEAN NOT NULL DEFAULT false, ALTER COLUMN "data" SET STORAGE EXTERNAL;
UPDATE "lifecycle_event" e SET "newest" = true
    FROM (SELECT DISTINCT ON ("blog_id") "id" FROM "lifecycle_event" ORDER BY "blog_id", "blog_event_number" DESC, "planned_at") AS n
    WHERE n."id" = e."id";
CREATE UNIQUE INDEX "lifecycle_event_newest_idx" ON "lifecycle_event" ("blog_id") WHERE "newest";
-- What the clean-up looks through.
DROP INDEX "lifecycle_event_with_data_idx";
CREATE INDEX "lifecycle_event_with_data_idx" ON "lifecycle_event" ("planned_at") WHERE "data" IS NOT NULL AND NOT "newest";

-- Counts the end of a delivery for or against its receiver, flags the one that only fails, and tells of it, or of its recovery,
-- in the transaction that records the end: once each. A function because it is called for every delivery that ends: its plans
-- are kept, and a receiver that works costs one look and no lock. See integration-health-store.ts.
CREATE FUNCTION "note_integration_health"(
    "of_integration" UUID, "succeeded" BOOLEAN, "counts" BOOLEAN, "why" TEXT, "sentence" TEXT, "ended_at" TIMESTAMPTZ,
    "after_deliveries" INTEGER, "after_ms" BIGINT, "on_topic" TEXT, "from_source" TEXT
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  receiver "integration"%ROWTYPE;
  since TIMESTAMPTZ;
  is_failing BOOLEAN;
  news JSONB;
BEGIN
  IF succeeded THEN
    PERFORM 1 FROM integration WHERE id = of_integration AND failed_in_row > 0;
    IF NOT FOUND THEN RETURN; END IF;
  ELSIF NOT counts THEN
    RETURN;
  END IF;
  SELECT * INTO receiver FROM integration WHERE id = of_integration AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;

  IF succeeded THEN
    UPDATE integration SET failed_in_row = 0, failed_from = NULL, failing_since = NULL, failing_reason = NULL
      WHERE id = of_integration;
    IF receiver.failing_since IS NULL THEN RETURN; END IF;
    since := receiver.failing_since;
    news := jsonb_build_object('event', 'integration.recovered',
      'recovered_at', to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  ELSE
    since := coalesce(receiver.failed_from, ended_at);
    is_failing := receiver.failing_since IS NOT NULL
      OR receiver.failed_in_row + 1 >= after_deliveries AND since <= ended_at - after_ms * interval '1 millisecond';
    UPDATE integration SET failed_in_row = receiver.failed_in_row + 1, failed_from = since,
      failing_since = CASE WHEN is_failing THEN since END, failing_reason = CASE WHEN is_failing THEN coalesce(sentence, why) END
      WHERE id = of_integration;
    IF receiver.failing_since IS NOT NULL OR NOT is_failing THEN RETURN; END IF;
    news := jsonb_build_object('event', 'integration.failing', 'failed_deliveries', receiver.failed_in_row + 1,
      'reason', why, 'detail', sentence);
  END IF;

  news := news || jsonb_build_object('project_id', receiver.project_id, 'integration_id', receiver.id,
    -- Host and port, for people to recognise it; nothing else of the URL leaves this service.
    'receiver', lower(substring(receiver.url from '^[^:]+://([^/?#]+)')),
    'failing_since', to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time)
  VALUES (gen_random_uuid(), on_topic, news ->> 'event', from_source, receiver.id::text, receiver.project_id::text, news, ended_at);
END $$;
