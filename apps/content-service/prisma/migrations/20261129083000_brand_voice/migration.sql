-- A project's notes for everything that is generated, and which of them a proposal was made with.
CREATE TABLE "brand_voice" (
    "project_id" UUID NOT NULL,
    "document" JSONB NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "brand_voice_pkey" PRIMARY KEY ("project_id")
);

ALTER TABLE "proposal" ADD COLUMN "brand_voice" JSONB;
