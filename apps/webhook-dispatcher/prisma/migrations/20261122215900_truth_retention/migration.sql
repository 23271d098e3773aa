-- What a purge looks for, oldest first, however many events are newer.
CREATE INDEX "lifecycle_event_overtaken_idx" ON "lifecycle_event" ("planned_at") WHERE "data" IS NULL AND NOT "newest";
CREATE INDEX "served_event_received_at_idx" ON "served_event" ("received_at");
