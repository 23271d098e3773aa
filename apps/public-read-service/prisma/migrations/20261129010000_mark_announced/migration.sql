-- Notes that blogs' events were announced. A function, because each of its statements sees what was committed before it, and
-- names the tables that a rebuild has put in place meanwhile: the first one waits for it.
CREATE FUNCTION "mark_announced"("project_ids" UUID[], "announcements" JSON) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    -- If a crash loses the note, the events are announced again when they come again.
    PERFORM set_config('synchronous_commit', 'off', true);
    -- READ_MODEL_LOCK
    PERFORM pg_advisory_xact_lock_shared(7236411806);
    -- Transactions that change the positions of a project's blogs hold its row.
    PERFORM FROM "project" WHERE "id" = ANY ("project_ids") ORDER BY "id" FOR NO KEY UPDATE;
    UPDATE "blog_position" "known" SET "announced_number" = nullif(
        least(greatest("known"."announced_number", "announced"."announcedNumber"), "known"."event_number"),
        "known"."event_number")
    FROM json_to_recordset("announcements") AS "announced" ("blogId" UUID, "announcedNumber" INT)
    WHERE "known"."blog_id" = "announced"."blogId" AND "known"."announced_number" < "announced"."announcedNumber";
END $$;
