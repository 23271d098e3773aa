-- What this service knows of the projects.
CREATE TABLE "project" (
    "id" UUID NOT NULL,
    "event_number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "site_url" TEXT,
    "deleted" BOOLEAN NOT NULL DEFAULT false,
    "account_id" UUID,

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "project_member" (
    "project_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "role" TEXT NOT NULL,

    CONSTRAINT "project_member_pkey" PRIMARY KEY ("project_id", "account_id"),
    CONSTRAINT "project_member_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Sessions that ended before their tokens expire.
CREATE TABLE "revoked_session" (
    "session_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revoked_session_pkey" PRIMARY KEY ("session_id")
);
CREATE INDEX "revoked_session_expires_at_idx" ON "revoked_session" ("expires_at");

-- Receivers. One that only fails: how often in a row and since when; flagged once both are much.
CREATE TABLE "integration" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "shown_url" TEXT NOT NULL,
    "sealed_url" TEXT,
    "sealed_secret" TEXT,
    "sealed_headers" TEXT,
    "active" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),
    "failed_in_row" INTEGER NOT NULL DEFAULT 0,
    "failed_from" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "failing_reason" TEXT,

    CONSTRAINT "integration_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "integration_deleted_is_empty" CHECK (
        CASE WHEN "deleted_at" IS NULL THEN "sealed_url" IS NOT NULL
            ELSE NOT "active" AND "sealed_url" IS NULL AND "sealed_secret" IS NULL AND "sealed_headers" IS NULL END),
    CONSTRAINT "integration_failures" CHECK (
        ("failed_in_row" > 0) = ("failed_from" IS NOT NULL)
        AND ("failing_since" IS NULL OR "failed_from" IS NOT NULL)
        AND ("failing_since" IS NULL) = ("failing_reason" IS NULL))
);
CREATE UNIQUE INDEX "integration_position_key" ON "integration" ("position");
CREATE INDEX "integration_project_id_position_idx" ON "integration" ("project_id", "position");

-- Custom headers, sealed, as they were at any time that the log names; gone with their integration.
CREATE TABLE "integration_headers" (
    "integration_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "sealed_headers" TEXT NOT NULL,
    "replaced_at" TIMESTAMPTZ(3),

    CONSTRAINT "integration_headers_pkey" PRIMARY KEY ("integration_id", "hash")
);
CREATE INDEX "integration_headers_replaced_at_idx" ON "integration_headers" ("replaced_at") WHERE "replaced_at" IS NOT NULL;

-- Lifecycle events that were planned, and acknowledgements of those that were not yet. Today's content of a blog is its
-- newest event, which keeps its body for redeliveries. Bodies are only ever read as a whole: as text, and uncompressed.
CREATE TABLE "lifecycle_event" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "blog_event_number" INTEGER NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "traceparent" TEXT,
    "data" JSON,
    "newest" BOOLEAN NOT NULL DEFAULT false,
    "planned_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lifecycle_event_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "lifecycle_event" ALTER COLUMN "data" SET STORAGE EXTERNAL;
CREATE INDEX "lifecycle_event_blog_id_blog_event_number_idx" ON "lifecycle_event" ("blog_id", "blog_event_number");
CREATE UNIQUE INDEX "lifecycle_event_newest_idx" ON "lifecycle_event" ("blog_id") WHERE "newest";
-- What the clean-up looks through, and what a purge does, oldest first, however many events are newer.
CREATE INDEX "lifecycle_event_with_data_idx" ON "lifecycle_event" ("planned_at") WHERE "data" IS NOT NULL AND NOT "newest";
CREATE INDEX "lifecycle_event_overtaken_idx" ON "lifecycle_event" ("planned_at") WHERE "data" IS NULL AND NOT "newest";

CREATE TABLE "served_event" (
    "lifecycle_event_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "served_event_pkey" PRIMARY KEY ("lifecycle_event_id")
);
CREATE INDEX "served_event_received_at_idx" ON "served_event" ("received_at");

-- What a delivery is and what became of it. It is of a lifecycle event, a redelivery of a blog's newest one, or a request that the owner
-- asked for to try a receiver. Tests and samples are of no event and no blog, never wait, and have no lease: only the process that was
-- asked can make them. None of its indexes is of anything that changes, so that a claim and an end write one row version each and no
-- index (heap-only updates), with room for them in the row's page. Integrations and events are never deleted, so that nothing can come
-- to refer to none; the locks of foreign keys would make all deliveries to one receiver wait for each other.
CREATE TABLE "delivery" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'lifecycle',
    "lifecycle_event_id" UUID,
    "integration_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "blog_id" UUID,
    "blog_event_number" INTEGER,
    "publish_id" UUID,
    "trigger" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lease_token" UUID,
    "reason" TEXT,
    "detail" TEXT,
    "status_code" INTEGER,
    "live_url" TEXT,
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "delivery_kind" CHECK ("kind" IN ('lifecycle', 'redelivery', 'test', 'sample')),
    CONSTRAINT "delivery_trigger" CHECK ("trigger" IN ('manual', 'autopilot')),
    CONSTRAINT "delivery_status" CHECK ("status" IN ('pending', 'in_flight', 'succeeded', 'failed', 'superseded')),
    CONSTRAINT "delivery_lease_while_in_flight" CHECK (
        ("lease_token" IS NOT NULL) = ("status" = 'in_flight' AND "kind" IN ('lifecycle', 'redelivery'))),
    CONSTRAINT "delivery_finished_at_the_end" CHECK (("status" IN ('succeeded', 'failed', 'superseded')) = ("finished_at" IS NOT NULL)),
    CONSTRAINT "delivery_manual_once" CHECK ("trigger" = 'autopilot' OR "attempts" <= 1),
    CONSTRAINT "delivery_of_a_blog" CHECK (
        CASE WHEN "kind" IN ('lifecycle', 'redelivery')
            THEN "lifecycle_event_id" IS NOT NULL AND "blog_id" IS NOT NULL AND "blog_event_number" IS NOT NULL
            ELSE "lifecycle_event_id" IS NULL AND "blog_id" IS NULL AND "blog_event_number" IS NULL AND "status" <> 'pending' END),
    CONSTRAINT "delivery_asked_for_is_manual" CHECK ("kind" = 'lifecycle' OR "trigger" = 'manual')
) WITH (fillfactor = 50);
CREATE INDEX "delivery_project_id_position_idx" ON "delivery" ("project_id", "position");
CREATE INDEX "delivery_integration_id_position_idx" ON "delivery" ("integration_id", "position");
CREATE INDEX "delivery_blog_id_position_idx" ON "delivery" ("blog_id", "position");
-- How many a project has asked for lately.
CREATE INDEX "delivery_tests_idx" ON "delivery" ("project_id", "created_at") WHERE "kind" IN ('test', 'sample');

-- What has not ended: what is due where, and in which order the deliveries of a blog go to a receiver.
CREATE TABLE "delivery_queue" (
    "position" BIGINT NOT NULL,
    "delivery_id" UUID NOT NULL,
    "integration_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "blog_event_number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "is_retry" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "delivery_queue_pkey" PRIMARY KEY ("position")
);
-- Each index serves its statements and can serve no others: one planned while the table was empty takes any index for as good as
-- any other, and would then read all of the wrong one. Hence the expressions.
-- What is due at a receiver, in the order in which it goes: a claim reads no more of it than it takes. What is found by its position
-- is found by the primary key.
CREATE INDEX "delivery_queue_due_at_receiver_idx" ON "delivery_queue" ("integration_id", "due_at", ("position" + 0));
-- When the next one becomes due, of all receivers.
CREATE INDEX "delivery_queue_next_due_idx" ON "delivery_queue" (("due_at" AT TIME ZONE 'UTC'));
-- The order of one blog at one receiver.
CREATE INDEX "delivery_queue_blog_id_integration_id_blog_event_number_idx" ON "delivery_queue" ("blog_id", "integration_id", "blog_event_number");
CREATE UNIQUE INDEX "delivery_queue_one_redelivery_at_a_time" ON "delivery_queue" ("blog_id", "integration_id") WHERE "kind" = 'redelivery';
-- A claim that finds nothing among a receiver's first due deliveries goes from blog to blog of it. With the blog's id as it is, the
-- look at what is older than a delivery took this index, and read all of it for each.
CREATE INDEX "delivery_queue_blog_of_receiver_idx" ON "delivery_queue" ((uuid_send("integration_id")), (uuid_send("blog_id")));

-- One transaction at a time decides about a blog's deliveries. Blogs are locked in the order given, which is one order for everybody.
CREATE FUNCTION "lock_blogs"("blog_ids" UUID[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('blog:' || "blog"."id", 0))
        FROM (SELECT "id" FROM unnest("blog_ids") WITH ORDINALITY AS "given" ("id", "index") ORDER BY "index") AS "blog";
END $$;

-- The read service serves these events: their deliveries are due. True when some were waiting for that; an event that is not planned yet is
-- remembered. A function, because its statements keep their plans: every delivery waits for it. Each of them sees what was committed
-- before it, so the second sees what the first one's locks let pass.
CREATE FUNCTION "mark_served"("served_ids" UUID[], "blog_ids" UUID[]) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    "moved" INTEGER;
BEGIN
    -- An acknowledgement that is lost with the database's machine is waited for no longer than one that never came.
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM "lock_blogs"("blog_ids");
    WITH "waiting" AS (
        -- What somebody else holds just then is being ended: it is not waited for. No index of times answers IS TRUE: the blog's is used.
        SELECT q."position" FROM "delivery_queue" q
        WHERE q."blog_id" = ANY ("blog_ids") AND NOT q."is_retry" AND (q."due_at" > now()) IS TRUE
            AND (SELECT d."lifecycle_event_id" FROM "delivery" d WHERE d."id" = q."delivery_id") = ANY ("served_ids")
        FOR UPDATE OF q SKIP LOCKED
    )
    -- Cut off: rounded, it could lie ahead of the claim that follows.
    UPDATE "delivery_queue" SET "due_at" = date_trunc('milliseconds', now())
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
CREATE INDEX "failed_delivery_integration_id_failed_at_idx" ON "failed_delivery" ("integration_id", "failed_at");

-- Who holds what: a lease for all that one claim took, renewed by one row however much that was. While it is in flight, the lease is
-- the record of a delivery's attempt; the attempt's own row is written when it ends, with all that is known of it then.
CREATE TABLE "lease" (
    "token" UUID NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "delivery_ids" UUID[] NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("token")
);
CREATE INDEX "lease_until_idx" ON "lease" ("until");

-- What an attempt sent and got: null until it ends, and where nothing was sent. Only ever read as a whole: kept as text. No key ties an
-- attempt to its delivery: they are written and removed together, and the lock that keeps a key is a look at the delivery for each.
CREATE TABLE "delivery_attempt" (
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "status_code" INTEGER,
    "reason" TEXT,
    "detail" TEXT,
    "exchange" JSON,

    CONSTRAINT "delivery_attempt_pkey" PRIMARY KEY ("delivery_id", "number")
);
-- Tests that run: the abandoned ones are looked for among them.
CREATE INDEX "delivery_attempt_running_idx" ON "delivery_attempt" ("delivery_id") WHERE "ended_at" IS NULL;

-- Bodies as they were sent, each once: all receivers of a publish get the same one. Large ones are packed here, not by the server.
CREATE TABLE "sent_body" (
    "hash" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "is_packed" BOOLEAN NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sent_body_pkey" PRIMARY KEY ("hash")
);
ALTER TABLE "sent_body" ALTER COLUMN "body" SET STORAGE EXTERNAL;
CREATE INDEX "sent_body_stored_at_idx" ON "sent_body" ("stored_at");

-- Which receiver has which blog.
CREATE TABLE "receiver_blog" (
    "integration_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "published" BOOLEAN NOT NULL,
    "live_url" TEXT,
    "external_id" TEXT,
    "position" BIGINT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "receiver_blog_pkey" PRIMARY KEY ("integration_id", "blog_id")
);

-- Counts the end of a delivery for or against its receiver, flags the one that only fails, and announces that, or its recovery,
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
    'receiver', lower(substring(receiver.shown_url from '^[^:]+://([^/?#]+)')),
    'failing_since', to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time)
  VALUES (gen_random_uuid(), on_topic, news ->> 'event', from_source, receiver.id::text, receiver.project_id::text, news, ended_at);
END $$;

-- One deploy hook per project (spec §4.5). Its address is a credential: sealed, as are headers and body.
CREATE TABLE "deploy_hook" (
    "project_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "sealed_url" TEXT NOT NULL,
    "sealed_parts" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deploy_hook_pkey" PRIMARY KEY ("project_id"),
    CONSTRAINT "deploy_hook_method" CHECK ("method" IN ('POST', 'GET'))
);

-- The queue and the history. No tie to deploy_hook: the history outlives it.
CREATE TABLE "deploy_hook_request" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "published" INTEGER NOT NULL DEFAULT 0,
    "unpublished" INTEGER NOT NULL DEFAULT 0,
    "deleted" INTEGER NOT NULL DEFAULT 0,
    "not_served" INTEGER NOT NULL DEFAULT 0,
    "blog_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "first_change_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "reason" TEXT,
    "detail" TEXT,
    "status_code" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "deploy_hook_request_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "deploy_hook_request_kind" CHECK ("kind" IN ('changes', 'test')),
    CONSTRAINT "deploy_hook_request_status" CHECK ("status" IN ('waiting', 'in_flight', 'succeeded', 'failed', 'superseded', 'cancelled')),
    CONSTRAINT "deploy_hook_request_changes" CHECK ("kind" = 'test' OR ("first_change_at" IS NOT NULL AND "published" + "unpublished" + "deleted" > 0)),
    CONSTRAINT "deploy_hook_request_test_once" CHECK ("kind" = 'changes' OR ("attempts" = 1 AND "status" <> 'waiting')),
    CONSTRAINT "deploy_hook_request_lease_while_in_flight" CHECK (("status" = 'in_flight') = ("lease_token" IS NOT NULL) AND ("lease_token" IS NULL) = ("lease_until" IS NULL)),
    CONSTRAINT "deploy_hook_request_finished_at_the_end" CHECK (("status" IN ('waiting', 'in_flight')) = ("finished_at" IS NULL))
);

CREATE UNIQUE INDEX "deploy_hook_request_position_key" ON "deploy_hook_request" ("position");
CREATE INDEX "deploy_hook_request_project_id_position_idx" ON "deploy_hook_request" ("project_id", "position");
-- Of one project, one request gathers changes or waits for its retry, one is under way, and one test is.
CREATE UNIQUE INDEX "deploy_hook_request_one_waiting" ON "deploy_hook_request" ("project_id") WHERE "status" = 'waiting';
CREATE UNIQUE INDEX "deploy_hook_request_one_in_flight" ON "deploy_hook_request" ("project_id", "kind") WHERE "status" = 'in_flight';
CREATE INDEX "deploy_hook_request_due_idx" ON "deploy_hook_request" ("due_at") WHERE "status" = 'waiting';
CREATE INDEX "deploy_hook_request_lease_idx" ON "deploy_hook_request" ("lease_until") WHERE "status" = 'in_flight';
CREATE INDEX "deploy_hook_request_finished_idx" ON "deploy_hook_request" ("finished_at") WHERE "finished_at" IS NOT NULL;

CREATE TABLE "deploy_hook_attempt" (
    "request_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "status_code" INTEGER,
    "reason" TEXT,
    "detail" TEXT,
    "connected_ms" INTEGER,
    "answer_ms" INTEGER,
    "total_ms" INTEGER,

    CONSTRAINT "deploy_hook_attempt_pkey" PRIMARY KEY ("request_id", "number"),
    CONSTRAINT "deploy_hook_attempt_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "deploy_hook_request" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Lifecycle events of projects with a hook: without a request while the public API does not serve them.
CREATE TABLE "deploy_hook_change" (
    "lifecycle_event_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "blog_event_number" INTEGER NOT NULL,
    "event" TEXT NOT NULL,
    "overdue_at" TIMESTAMPTZ(3) NOT NULL,
    "request_id" UUID,

    CONSTRAINT "deploy_hook_change_pkey" PRIMARY KEY ("lifecycle_event_id"),
    CONSTRAINT "deploy_hook_change_event" CHECK ("event" IN ('blog.published', 'blog.unpublished', 'blog.deleted')),
    CONSTRAINT "deploy_hook_change_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "deploy_hook_request" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "deploy_hook_change_request_id_idx" ON "deploy_hook_change" ("request_id");
CREATE INDEX "deploy_hook_change_project_idx" ON "deploy_hook_change" ("project_id") WHERE "request_id" IS NULL;
CREATE INDEX "deploy_hook_change_overdue_idx" ON "deploy_hook_change" ("overdue_at") WHERE "request_id" IS NULL;

-- Events waiting for the relay. Many events of one transaction may be in one row: what ends together is announced together.
CREATE TABLE "outbox" (
  "position" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "id" UUID NOT NULL,
  "topic" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "partition_key" TEXT NOT NULL,
  "data" JSONB NOT NULL,
  "time" TIMESTAMPTZ(3) NOT NULL,
  "traceparent" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "published_at" TIMESTAMPTZ(3),
  "bundle" JSON
);
-- Not packed: what is read of it at once is bounded by its size, and it is stored as large as it is read.
ALTER TABLE "outbox" ALTER COLUMN "data" SET STORAGE EXTERNAL, ALTER COLUMN "bundle" SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX "outbox_id_key" ON "outbox" ("id");
CREATE INDEX "outbox_unpublished" ON "outbox" ("position") WHERE "published_at" IS NULL;
CREATE INDEX "outbox_published_at" ON "outbox" ("published_at") WHERE "published_at" IS NOT NULL;

CREATE FUNCTION "notify_outbox"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('outbox', '');
  RETURN NULL;
END $$;
CREATE TRIGGER "outbox_inserted" AFTER INSERT ON "outbox"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_outbox"();
