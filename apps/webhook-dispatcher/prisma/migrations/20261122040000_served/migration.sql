-- As before, but what was claimed on this word already is left alone, and the caller is told whether anything is due now.
CREATE OR REPLACE FUNCTION "mark_served"("served_ids" UUID[], "blog_ids" UUID[]) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
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
            AND (SELECT d."lifecycle_event_id" FROM "delivery" d WHERE d."id" = s."delivery_id" AND d."status" = 'pending')
                = ANY ("served_ids")
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
