-- When the receiver of a failed delivery got the blog after all.
ALTER TABLE "publish_delivery" ADD COLUMN "recovered_at" TIMESTAMPTZ(3);

-- A newer publish reached it, or a redelivery did, which is all that gives a failed delivery a URL or an id.
UPDATE publish_delivery failed
SET recovered_at = coalesce(
  (SELECT min(newer.finished_at) FROM publish_delivery newer JOIN publish ON publish.id = newer.publish_id
    WHERE publish.blog_id = of.blog_id AND publish.event_number > of.event_number
      AND newer.integration_id = failed.integration_id AND newer.status = 'succeeded'),
  CASE WHEN failed.live_url IS NOT NULL OR failed.external_id IS NOT NULL THEN failed.finished_at END)
FROM publish of WHERE of.id = failed.publish_id AND failed.status = 'failed';
