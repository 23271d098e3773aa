-- A claim that finds nothing among a receiver's first due deliveries goes from blog to blog of it. The expressions keep every other
-- statement off this index: see the migration that makes the table. With the blog's id as it is, the look at what is older than a
-- delivery took this index, and read all of it for each.
CREATE INDEX "schedule_blog_of_receiver_idx" ON "schedule" ((uuid_send("integration_id")), (uuid_send("blog_id")));
