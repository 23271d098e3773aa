-- AlterTable
ALTER TABLE "invitation" ADD COLUMN     "invited_by" UUID;

-- CreateIndex
CREATE INDEX "invitation_invited_by_idx" ON "invitation"("invited_by");

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_invited_by_fkey" FOREIGN KEY ("invited_by") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
