import { unprocessable } from '@blog-content/service-runtime';
import type { Author } from '../generated/prisma/client.ts';
import type { Transaction } from '../platform/database/open-database.ts';

/**
 * The current slugs of the authors that a request names, each once. Deleted authors whom the post already names may
 * stay, so that a request can repeat what it read.
 *
 * @param before the slugs that the post has
 * @throws a 422 problem that names each slug without an author.
 */
export async function nameAuthors(
  tx: Transaction,
  projectId: string,
  given: readonly string[],
  before: readonly string[] = [],
): Promise<string[]> {
  if (given.length === 0) return [];
  const slugs = [...given];
  const found = await tx.author.findMany({
    where: { projectId, OR: [{ slug: { in: slugs } }, { formerSlugs: { hasSome: slugs } }] },
  });
  const bySlug = authorsBySlug(found);
  const unknown = slugs.filter((slug) => !bySlug.has(slug) && !before.includes(slug));
  if (unknown.length === 0) return [...new Set(slugs.map((slug) => bySlug.get(slug)?.slug ?? slug))];
  throw unprocessable(
    [...new Set(unknown)].map((slug) => ({
      field: `authors.${slugs.indexOf(slug)}`,
      message: `no author of the project has the slug “${slug}”. List them with \`GET …/authors\`, or create the author first`,
    })),
  );
}

/** Authors by each of their slugs. */
const authorsBySlug = (authors: readonly Author[]): ReadonlyMap<string, Author> =>
  new Map(authors.flatMap((author) => [...author.formerSlugs, author.slug].map((slug) => [slug, author])));
