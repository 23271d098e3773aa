-- CreateTable
CREATE TABLE "author" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "former_slugs" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "name" TEXT NOT NULL,
    "bio" TEXT,
    "avatar_url" TEXT,
    "links" JSONB NOT NULL DEFAULT '[]',
    "same_as" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "email" TEXT,
    "account_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "author_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "author_position_key" ON "author"("position");

-- CreateIndex
CREATE INDEX "author_project_id_position_idx" ON "author"("project_id", "position");

-- CreateIndex
CREATE INDEX "author_account_id_idx" ON "author"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "author_project_id_slug_key" ON "author"("project_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "author_project_id_account_id_key" ON "author"("project_id", "account_id");

-- AddForeignKey
ALTER TABLE "author" ADD CONSTRAINT "author_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "author" ADD CONSTRAINT "author_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;
