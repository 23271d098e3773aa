-- CreateTable
CREATE TABLE "index_now" (
    "project_id" UUID NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "next_due_at" TIMESTAMPTZ(3),
    "key_site_url" TEXT,
    "key_seen_at" TIMESTAMPTZ(3),
    "key_tried_at" TIMESTAMPTZ(3),
    "key_detail" TEXT,
    "key_tries" INTEGER NOT NULL DEFAULT 0,
    "key_due_at" TIMESTAMPTZ(3),
    "checks_began_at" TIMESTAMPTZ(3),
    "checks" INTEGER NOT NULL DEFAULT 0,
    "ping_at" TIMESTAMPTZ(3),
    "hour_began_at" TIMESTAMPTZ(3),
    "hour_pings" INTEGER NOT NULL DEFAULT 0,
    "failed_in_row" INTEGER NOT NULL DEFAULT 0,
    "first_failed_at" TIMESTAMPTZ(3),
    "pinged_at" TIMESTAMPTZ(3),
    "ping_status" TEXT,
    "ping_addresses" INTEGER,
    "ping_code" INTEGER,
    "ping_detail" TEXT,

    CONSTRAINT "index_now_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "index_now_address" (
    "project_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "blog_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "is_gone" BOOLEAN NOT NULL,
    "is_new" BOOLEAN NOT NULL,
    "live_urls" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "site_url" TEXT,
    "looks" INTEGER NOT NULL DEFAULT 0,
    "before" TEXT,
    "shown_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "index_now_address_pkey" PRIMARY KEY ("project_id","slug")
);

-- CreateTable
CREATE TABLE "index_now_given_up" (
    "project_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "url" TEXT,
    "detail" TEXT NOT NULL,
    "given_up_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "index_now_given_up_pkey" PRIMARY KEY ("project_id","slug")
);

-- CreateIndex
CREATE INDEX "index_now_next_due_at_idx" ON "index_now"("next_due_at");

-- CreateIndex
CREATE INDEX "index_now_lease_until_idx" ON "index_now"("lease_until");

-- CreateIndex
CREATE INDEX "index_now_given_up_project_id_given_up_at_idx" ON "index_now_given_up"("project_id", "given_up_at");

-- AddForeignKey
ALTER TABLE "index_now_address" ADD CONSTRAINT "index_now_address_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "index_now"("project_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "index_now_given_up" ADD CONSTRAINT "index_now_given_up_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "index_now"("project_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A lease has a holder and an end, or neither. A key that was seen was seen at some site.
ALTER TABLE "index_now"
    ADD CONSTRAINT "index_now_key" CHECK ("key" ~ '^[0-9a-f]{32}$'),
    ADD CONSTRAINT "index_now_lease" CHECK (("lease_token" IS NULL) = ("lease_until" IS NULL)),
    ADD CONSTRAINT "index_now_key_seen" CHECK ("key_seen_at" IS NULL OR "key_site_url" IS NOT NULL),
    ADD CONSTRAINT "index_now_ping_status" CHECK ("ping_status" IN ('accepted', 'retry', 'failed'));
