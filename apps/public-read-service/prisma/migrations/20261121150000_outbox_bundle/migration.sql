-- Many events of one transaction may stand in one row: what relays them reads this column of every outbox.
ALTER TABLE "outbox" ADD COLUMN "bundle" JSON;
ALTER TABLE "outbox" ALTER COLUMN "bundle" SET STORAGE EXTERNAL;
