-- Rows are added in the order of time, so that this finds the last days' at almost no cost to a publish.
CREATE INDEX "publish_requested_at_idx" ON "publish" USING brin ("requested_at") WITH (autosummarize = on);
