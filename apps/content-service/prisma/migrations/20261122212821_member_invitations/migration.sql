-- CreateTable
CREATE TABLE "member_invitation" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "invited_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_invitation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "member_invitation_position_key" ON "member_invitation"("position");

-- CreateIndex
CREATE INDEX "member_invitation_email_position_idx" ON "member_invitation"("email", "position");

-- CreateIndex
CREATE INDEX "member_invitation_invited_by_idx" ON "member_invitation"("invited_by");

-- CreateIndex
CREATE INDEX "member_invitation_expires_at_idx" ON "member_invitation"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "member_invitation_project_id_email_key" ON "member_invitation"("project_id", "email");

-- AddForeignKey
ALTER TABLE "member_invitation" ADD CONSTRAINT "member_invitation_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member_invitation" ADD CONSTRAINT "member_invitation_invited_by_fkey" FOREIGN KEY ("invited_by") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
