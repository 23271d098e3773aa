-- What an administrator lets projects and accounts use. No row: no limit.
CREATE TABLE "quota" (
    "subject_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "most" BIGINT NOT NULL,

    CONSTRAINT "quota_pkey" PRIMARY KEY ("subject_id", "kind")
);
