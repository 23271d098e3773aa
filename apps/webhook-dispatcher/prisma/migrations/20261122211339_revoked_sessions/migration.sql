-- CreateTable
CREATE TABLE "revoked_session" (
    "session_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revoked_session_pkey" PRIMARY KEY ("session_id")
);

-- CreateIndex
CREATE INDEX "revoked_session_expires_at_idx" ON "revoked_session"("expires_at");
