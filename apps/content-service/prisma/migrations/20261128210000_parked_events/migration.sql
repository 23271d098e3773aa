-- Events that a consumer could not process wait here, so that all others go on.
CREATE TABLE "parked_event" (
  "position" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "topic" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "event_id" UUID NOT NULL,
  "partition" INTEGER NOT NULL,
  "offset" TEXT NOT NULL,
  "project_id" TEXT,
  "blog_id" TEXT,
  "event" TEXT NOT NULL,
  "error" TEXT,
  "failures" INTEGER NOT NULL DEFAULT 0,
  "parked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "retry_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "parked_event_topic_event_id_key" ON "parked_event" ("topic", "event_id");
CREATE INDEX "parked_event_topic_key_position_idx" ON "parked_event" ("topic", "key", "position");
