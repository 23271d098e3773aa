import type { Database, Transaction } from '../../../platform/database/open-database.ts';
import { otherSlug } from '../posts/post-slug.ts';
import type { NamedFile, Standing, StandingBlog } from './same-post.ts';

/** What of the project may be the post of each file, by the slugs of the files. */
export async function findStanding(
  database: Database | Transaction,
  projectId: string,
  files: readonly NamedFile[],
): Promise<ReadonlyMap<string, Standing>> {
  const holders = await findHolders(
    database,
    projectId,
    files.map(({ slug }) => slug),
  );
  const origins = await findOrigins(database, projectId, files.flatMap(ownSlugs));
  const paths = await pathsOfBlogs(
    database,
    [...holders, ...origins].map(({ id }) => id),
  );
  const standing = ({ given: _given, from: _from, ...blog }: FoundBlog): StandingBlog => ({
    ...blog,
    paths: paths.get(blog.id) ?? new Set(),
  });
  return new Map(
    files.map(({ slug, path }) => {
      const holder = holders.find(({ given }) => given === slug);
      const own = ownSlugs({ slug, path });
      const from = origins.filter((blog) => own.includes(blog.given) && blog.from === path.normalize());
      return [slug, { holder: holder ? standing(holder) : null, origins: from.map(standing) }];
    }),
  );
}

/** Those that imports may have given a file: beside another file of its name, it had a longer one. */
const ownSlugs = (file: NamedFile): string[] => [file.slug, otherSlug(file, file.path.normalize())];

type FoundBlog = Omit<StandingBlog, 'paths'> & { readonly given: string; readonly from?: string };

function findHolders(
  database: Database | Transaction,
  projectId: string,
  slugs: readonly string[],
): Promise<FoundBlog[]> {
  return database.$queryRaw<FoundBlog[]>`
    SELECT claim.slug AS given, blog.id, blog.slug, blog.title, blog.state
    FROM slug_claim claim JOIN blog ON blog.id = claim.blog_id AND blog.project_id = claim.project_id
    WHERE claim.project_id = ${projectId}::uuid AND claim.slug = ANY (${slugs}::text[]) AND blog.state <> 'deleted'`;
}

function findOrigins(
  database: Database | Transaction,
  projectId: string,
  slugs: readonly string[],
): Promise<FoundBlog[]> {
  return database.$queryRaw<FoundBlog[]>`
    SELECT file.slug AS given, normalize(file.path, NFC) AS "from", blog.id, blog.slug, blog.title, blog.state
    FROM import_file file JOIN import ON import.id = file.import_id JOIN blog ON blog.id = file.blog_id
    WHERE file.slug = ANY (${slugs}::text[]) AND file.status IN ('created', 'updated')
      AND blog.project_id = ${projectId}::uuid AND blog.state <> 'deleted'
    ORDER BY import.position DESC`;
}

async function pathsOfBlogs(
  database: Database | Transaction,
  blogIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = await database.$queryRaw<{ blogId: string; paths: string[] }[]>`
    SELECT blog_id AS "blogId", array_agg(DISTINCT normalize(path, NFC)) AS paths FROM import_file
    WHERE blog_id = ANY (${blogIds}::uuid[]) AND status IN ('created', 'updated') GROUP BY blog_id`;
  return new Map(found.map(({ blogId, paths }) => [blogId, new Set(paths)]));
}
