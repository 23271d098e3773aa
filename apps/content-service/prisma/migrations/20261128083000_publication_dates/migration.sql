-- What an author or an import sets, and what readers were last given.
ALTER TABLE "blog" ADD COLUMN "publication_date" TIMESTAMPTZ(3),
  ADD COLUMN "public_date" TIMESTAMPTZ(3);
