-- AlterTable
ALTER TABLE "account" ADD COLUMN     "environment_password_hash" TEXT,
ADD COLUMN     "is_administrator" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "blog" ADD COLUMN     "content_markdown" TEXT,
ADD COLUMN     "generated_images" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "publish_at" TIMESTAMPTZ(3),
ADD COLUMN     "publish_at_set_by" UUID,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "blog_revision" ADD COLUMN     "content_markdown" TEXT,
ADD COLUMN     "generated_images" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "project" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "publish" ADD COLUMN     "event_number" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "requested_by" UUID,
ADD COLUMN     "scheduled_for" TIMESTAMPTZ(3),
ADD COLUMN     "served_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "publish_delivery" ADD COLUMN     "next_attempt_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "account_session" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_token" (
    "hash" TEXT NOT NULL,
    "session_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_token_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "invitation" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "project_id" UUID,
    "role" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "password_reset" (
    "token_hash" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" TIMESTAMPTZ(3),

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "agent_key" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotent_request" (
    "caller_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "item" TEXT NOT NULL DEFAULT '',
    "fingerprint" TEXT NOT NULL,
    "result" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_request_pkey" PRIMARY KEY ("caller_id","key","item")
);

-- CreateTable
CREATE TABLE "import" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "requested_by" UUID NOT NULL,
    "publish" BOOLEAN NOT NULL,
    "existing" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "import_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_file" (
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "post" JSONB,
    "status" TEXT NOT NULL,
    "message" TEXT,
    "blog_id" UUID,

    CONSTRAINT "import_file_pkey" PRIMARY KEY ("import_id","number")
);

-- CreateIndex
CREATE INDEX "account_session_account_id_idx" ON "account_session"("account_id");

-- CreateIndex
CREATE INDEX "account_session_expires_at_idx" ON "account_session"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_token_session_id_idx" ON "refresh_token"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_position_key" ON "invitation"("position");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_email_key" ON "invitation"("email");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");

-- CreateIndex
CREATE INDEX "invitation_project_id_idx" ON "invitation"("project_id");

-- CreateIndex
CREATE INDEX "password_reset_account_id_idx" ON "password_reset"("account_id");

-- CreateIndex
CREATE INDEX "rate_limit_expire_idx" ON "rate_limit"("expire");

-- CreateIndex
CREATE UNIQUE INDEX "agent_key_position_key" ON "agent_key"("position");

-- CreateIndex
CREATE UNIQUE INDEX "agent_key_key_hash_key" ON "agent_key"("key_hash");

-- CreateIndex
CREATE INDEX "agent_key_project_id_position_idx" ON "agent_key"("project_id", "position");

-- CreateIndex
CREATE INDEX "idempotent_request_created_at_idx" ON "idempotent_request"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "import_position_key" ON "import"("position");

-- CreateIndex
CREATE INDEX "import_project_id_position_idx" ON "import"("project_id", "position");

-- AddForeignKey
ALTER TABLE "account_session" ADD CONSTRAINT "account_session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_token" ADD CONSTRAINT "refresh_token_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "account_session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_key" ADD CONSTRAINT "agent_key_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import" ADD CONSTRAINT "import_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_file" ADD CONSTRAINT "import_file_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is due next.
CREATE INDEX "blog_publish_at" ON "blog"("publish_at") WHERE "publish_at" IS NOT NULL;
CREATE INDEX "import_file_waiting" ON "import_file"("import_id", "number") WHERE "status" = 'waiting';

ALTER TABLE "import_file" ADD CHECK ("status" IN ('waiting', 'created', 'updated', 'skipped', 'failed'));
ALTER TABLE "import_file" ADD CHECK (("post" IS NOT NULL) = ("status" = 'waiting'));
ALTER TABLE "invitation" ADD CHECK (("project_id" IS NULL) = ("role" IS NULL));

-- What the next sweep takes.
CREATE INDEX "account_session_revoked" ON "account_session"("revoked_at") WHERE "revoked_at" IS NOT NULL;
