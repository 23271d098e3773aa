-- CreateTable
CREATE TABLE "generation_settings" (
    "project_id" UUID NOT NULL,
    "base_url" TEXT,
    "sealed_key" TEXT,
    "key_hint" TEXT,
    "model" TEXT,
    "image_model" TEXT,
    "input_micros" BIGINT NOT NULL,
    "output_micros" BIGINT NOT NULL,
    "image_micros" BIGINT NOT NULL,
    "job_micros" BIGINT,
    "month_micros" BIGINT,
    "job_tokens" BIGINT,
    "month_tokens" BIGINT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "generation_settings_pkey" PRIMARY KEY ("project_id")
);
