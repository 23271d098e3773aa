-- A claim that finds nothing among a receiver's first due deliveries goes from blog to blog of it. The expression keeps every other
-- statement off this index: see the migration that makes the table.
CREATE INDEX "schedule_blog_of_receiver_idx" ON "schedule" ((uuid_send("integration_id")), "blog_id", "blog_event_number");
