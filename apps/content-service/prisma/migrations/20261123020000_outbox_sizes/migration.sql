-- What is read of the outbox at once is bounded by its size: not packed, it is stored as large as it is read.
ALTER TABLE "outbox" ALTER COLUMN "data" SET STORAGE EXTERNAL;
