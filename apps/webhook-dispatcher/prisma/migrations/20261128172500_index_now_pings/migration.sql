-- CreateIndex
CREATE INDEX "index_now_ping_at_idx" ON "index_now"("ping_at");
