-- AlterTable
ALTER TABLE "integration" ADD COLUMN     "heal_links" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "link_target" (
    "blog_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "event_number" INTEGER NOT NULL,
    "slug" TEXT,
    "title" TEXT,
    "published_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_target_pkey" PRIMARY KEY ("blog_id")
);

-- CreateTable
CREATE TABLE "blog_link" (
    "project_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "blog_id" UUID NOT NULL,

    CONSTRAINT "blog_link_pkey" PRIMARY KEY ("project_id","slug","blog_id")
);

-- CreateTable
CREATE TABLE "link_view" (
    "project_id" UUID NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "link_view_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "link_change" (
    "project_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "after_blog" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',

    CONSTRAINT "link_change_pkey" PRIMARY KEY ("project_id","slug")
);

-- CreateTable
CREATE TABLE "link_healing" (
    "integration_id" UUID NOT NULL,
    "blog_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changes" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "link_healing_pkey" PRIMARY KEY ("integration_id","blog_id")
);

-- CreateIndex
CREATE INDEX "link_target_project_id_slug_published_at_idx" ON "link_target"("project_id", "slug", "published_at");

-- CreateIndex
CREATE INDEX "blog_link_blog_id_slug_idx" ON "blog_link"("blog_id", "slug");

-- CreateIndex
CREATE INDEX "link_healing_integration_id_changed_at_idx" ON "link_healing"("integration_id", "changed_at");

-- CreateIndex
CREATE INDEX "link_healing_project_id_changed_at_idx" ON "link_healing"("project_id", "changed_at");

-- Projects with integrations whose links are healed.
CREATE INDEX "integration_healing_idx" ON "integration" ("project_id") WHERE "heal_links";
-- The newest events of one project. As text: a statement that asks for blogs is not to take this index.
CREATE INDEX "lifecycle_event_newest_of_project_idx" ON "lifecycle_event" (("project_id"::text)) WHERE "newest";
-- How many of a receiver were planned within the last hour, and how many of them wait.
CREATE INDEX "delivery_link_changed_idx" ON "delivery" ("integration_id", "created_at") WHERE "kind" = 'link_changed';
CREATE INDEX "delivery_queue_link_changed_idx" ON "delivery_queue" ("integration_id") WHERE "kind" = 'link_changed';

-- One kind more. Whatever held before holds now: no row need be looked at.
ALTER TABLE "delivery"
    DROP CONSTRAINT "delivery_kind",
    DROP CONSTRAINT "delivery_lease_while_in_flight",
    DROP CONSTRAINT "delivery_of_a_blog",
    ADD CONSTRAINT "delivery_kind" CHECK ("kind" IN ('lifecycle', 'redelivery', 'link_changed', 'test', 'sample')) NOT VALID,
    ADD CONSTRAINT "delivery_lease_while_in_flight" CHECK (
        ("lease_token" IS NOT NULL) = ("status" = 'in_flight' AND "kind" IN ('lifecycle', 'redelivery', 'link_changed'))) NOT VALID,
    ADD CONSTRAINT "delivery_of_a_blog" CHECK (
        CASE WHEN "kind" IN ('lifecycle', 'redelivery', 'link_changed')
            THEN "lifecycle_event_id" IS NOT NULL AND "blog_id" IS NOT NULL AND "blog_event_number" IS NOT NULL
            ELSE "lifecycle_event_id" IS NULL AND "blog_id" IS NULL AND "blog_event_number" IS NULL AND "status" <> 'pending' END) NOT VALID;
