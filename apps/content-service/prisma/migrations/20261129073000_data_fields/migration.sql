-- The fields that projects declare for the data of their posts.
CREATE TABLE "data_fields" (
    "project_id" UUID NOT NULL,
    "fields" JSONB NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "data_fields_pkey" PRIMARY KEY ("project_id")
);
