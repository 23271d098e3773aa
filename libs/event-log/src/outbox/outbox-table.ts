import type { EventEnvelope } from '../messages/envelope.ts';

/**
 * The outbox table of a producing service, to paste into its first migration. A transaction that changes something
 * inserts the events that tell of it here, and the relay appends them to the log: both happen or neither.
 *
 * A row is an event. Where one transaction tells of very many, it is a bundle: an array of envelopes in `bundle`, as
 * {@link toBundled} makes them, which cost one row, one entry in each index and one mark together. What the row's other
 * columns say is for people then.
 */
export const OUTBOX_TABLE_SQL = `
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
`;

/** One row of the outbox as a store inserts it; `position`, `createdAt` and `publishedAt` are the database's. */
export interface OutboxRow<Data = unknown> {
  readonly id: string;
  readonly topic: string;
  readonly type: string;
  readonly source: string;
  readonly key: string;
  readonly partitionKey: string;
  readonly data: Data;
  readonly time: Date;
  readonly traceparent: string | null;
}

/** The envelope as an element of a row's `bundle`: JSON, without a line feed. */
export function toBundled(envelope: EventEnvelope): string {
  return JSON.stringify(envelope);
}

/** The envelope as the outbox table holds it. */
export function toOutboxRow<Data>(envelope: EventEnvelope<Data>): OutboxRow<Data> {
  const { id, topic, type, source, key, partitionKey, data, time, traceparent } = envelope;
  return { id, topic, type, source, key, partitionKey, data, time: new Date(time), traceparent: traceparent ?? null };
}
