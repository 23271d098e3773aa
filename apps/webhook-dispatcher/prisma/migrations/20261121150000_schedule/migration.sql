-- What has not ended stands in a table of its own, narrow and in order: what is due where, and in which order the deliveries of a
-- blog go to a receiver. "delivery" keeps what a delivery is and what became of it. None of its indexes is of anything that changes,
-- so that a claim and an end write one row version each and no index (heap-only updates), with room for them in the row's page.
CREATE TABLE "schedule" (
    "position" BIGINT NOT NULL,
    "delivery_id" UUID NOT NULL,
    "integration_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "blog_event_number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "is_retry" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "schedule_pkey" PRIMARY KEY ("position")
);
INSERT INTO "schedule" ("position", "delivery_id", "integration_id", "blog_id", "blog_event_number", "kind", "due_at", "is_retry")
    SELECT "position", "id", "integration_id", "blog_id", "blog_event_number", "kind", "due_at", "status" = 'pending' AND "attempts" > 0
    FROM "delivery" WHERE "status" IN ('pending', 'in_flight') AND "kind" IN ('lifecycle', 'redelivery');
-- Each index serves its statements and can serve no others: one planned while the schedule was empty takes any index for as good as
-- any other, and would then read all of the wrong one. Hence the expressions.
-- What is due at a receiver, in the order in which it goes: a claim reads no more of it than it takes. What is found by its position
-- is found by the primary key.
CREATE INDEX "schedule_due_at_receiver_idx" ON "schedule" ("integration_id", "due_at", ("position" + 0));
-- When the next one becomes due, of all receivers.
CREATE INDEX "schedule_next_due_idx" ON "schedule" (("due_at" AT TIME ZONE 'UTC'));
-- The order of one blog at one receiver.
CREATE INDEX "schedule_blog_id_integration_id_blog_event_number_idx" ON "schedule" ("blog_id", "integration_id", "blog_event_number");
CREATE UNIQUE INDEX "schedule_one_redelivery_at_a_time" ON "schedule" ("blog_id", "integration_id") WHERE "kind" = 'redelivery';

-- One transaction at a time decides about a blog's deliveries. Blogs are locked in the order given, which is one order for everybody.
CREATE FUNCTION "lock_blogs"("blog_ids" UUID[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('blog:' || "blog"."id", 0))
        FROM (SELECT "id" FROM unnest("blog_ids") WITH ORDINALITY AS "given" ("id", "place") ORDER BY "place") AS "blog";
END $$;

-- The read service serves these events: their deliveries are due. True when some were waiting for that; an event that is not planned yet is
-- remembered. A function, because its statements keep their plans: every delivery waits for it. Each of them sees what was committed
-- before it, so the second sees what the first one's locks let go by.
CREATE FUNCTION "mark_served"("served_ids" UUID[], "blog_ids" UUID[]) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    "moved" INTEGER;
BEGIN
    -- A word that is lost with the database's machine is waited for no longer than one that never came.
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM "lock_blogs"("blog_ids");
    WITH "waiting" AS (
        -- What somebody else holds just then is being ended: it is not waited for. No index of times answers IS TRUE: the blog's is used.
        SELECT s."position" FROM "schedule" s
        WHERE s."blog_id" = ANY ("blog_ids") AND NOT s."is_retry" AND (s."due_at" > now()) IS TRUE
            AND (SELECT d."lifecycle_event_id" FROM "delivery" d WHERE d."id" = s."delivery_id") = ANY ("served_ids")
        FOR UPDATE OF s SKIP LOCKED
    )
    -- Cut off: rounded, it could lie ahead of the claim that follows.
    UPDATE "schedule" SET "due_at" = date_trunc('milliseconds', now())
        WHERE "position" = ANY (ARRAY(SELECT "position" FROM "waiting"));
    GET DIAGNOSTICS "moved" = ROW_COUNT;
    INSERT INTO "served_event" ("lifecycle_event_id")
        SELECT "id" FROM unnest("served_ids") AS "served" ("id")
        WHERE NOT EXISTS (SELECT FROM "lifecycle_event" e WHERE e."id" = "served"."id")
        ON CONFLICT DO NOTHING;
    RETURN "moved" > 0;
END $$;

-- What a receiver missed since a time.
CREATE TABLE "failed_delivery" (
    "delivery_id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "integration_id" UUID NOT NULL,
    "failed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "failed_delivery_pkey" PRIMARY KEY ("delivery_id")
);
INSERT INTO "failed_delivery" ("delivery_id", "position", "integration_id", "failed_at")
    SELECT "id", "position", "integration_id", "finished_at" FROM "delivery" WHERE "status" = 'failed' AND "blog_id" IS NOT NULL;
CREATE INDEX "failed_delivery_integration_id_failed_at_idx" ON "failed_delivery" ("integration_id", "failed_at");

DROP INDEX "delivery_pending_idx";
DROP INDEX "delivery_next_due_idx";
DROP INDEX "delivery_unfinished_idx";
DROP INDEX "delivery_lease_idx";
DROP INDEX "delivery_one_redelivery_at_a_time";
DROP INDEX "delivery_one_test_at_a_time";
DROP INDEX "delivery_failed_idx";
-- The event's own row is what makes planning happen once.
DROP INDEX "delivery_once_for_event_and_receiver";

-- Who holds what: a lease for all that one claim took, renewed by one row however much that was. While it is in flight, the lease is
-- the record of a delivery's attempt; the attempt's own row is written when it ends, with all that is known of it then.
CREATE TABLE "lease" (
    "token" UUID NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "delivery_ids" UUID[] NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("token")
);
INSERT INTO "lease" ("token", "began_at", "until", "delivery_ids")
    SELECT d."lease_token", coalesce(a."started_at", d."created_at"), d."lease_until", ARRAY[d."id"]
    FROM "delivery" d LEFT JOIN "delivery_attempt" a ON a."delivery_id" = d."id" AND a."number" = d."attempts"
    WHERE d."lease_token" IS NOT NULL;
CREATE INDEX "lease_until_idx" ON "lease" ("until");
DELETE FROM "delivery_attempt" a USING "delivery" d
    WHERE d."id" = a."delivery_id" AND d."lease_token" IS NOT NULL AND a."number" = d."attempts";
ALTER TABLE "delivery"
    DROP CONSTRAINT "delivery_lease_while_in_flight",
    DROP COLUMN "due_at",
    DROP COLUMN "lease_until",
    ADD CONSTRAINT "delivery_lease_while_in_flight" CHECK (
        ("lease_token" IS NOT NULL) = ("status" = 'in_flight' AND "kind" IN ('lifecycle', 'redelivery'))),
    SET (fillfactor = 50);

-- Many events of one transaction in one row: what ends together is told of together.
ALTER TABLE "outbox" ADD COLUMN "bundle" JSON;
ALTER TABLE "outbox" ALTER COLUMN "bundle" SET STORAGE EXTERNAL;

-- Small bodies are kept as they are: packing one took longer than all else that is written for it.
ALTER TABLE "sent_body" ADD COLUMN "is_packed" BOOLEAN NOT NULL DEFAULT true;

-- Tests that run: the abandoned ones are looked for among them. No key ties an attempt to its delivery: they are written and removed
-- together, and the lock that keeps a key is a look at the delivery for each.
CREATE INDEX "delivery_attempt_running_idx" ON "delivery_attempt" ("delivery_id") WHERE "ended_at" IS NULL;
-- Only ever read as a whole: kept as text, which costs no making of a tree.
ALTER TABLE "delivery_attempt" DROP CONSTRAINT "delivery_attempt_delivery_id_fkey", ALTER COLUMN "exchange" TYPE JSON;
ALTER TABLE "lifecycle_event" ALTER COLUMN "data" TYPE JSON, ALTER COLUMN "data" SET STORAGE EXTERNAL;
